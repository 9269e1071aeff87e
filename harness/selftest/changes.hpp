#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::selftest {

/// What a change is made to.
enum class ChangePart : std::uint8_t {
  framing,  ///< the bytes around the data: lines, blank lines, encoding, where the body ends
  structure,  ///< which events there are, in which order, and the fields of their data: names, JSON types, what points
              ///< from one event to another, words of a fixed vocabulary
  content,  ///< what the answer says: its pieces, and values that could be others
};

/// "framing", "structure", "content".
std::string_view name(ChangePart part);

/// One small change of a body that conforms.
///
/// | kind | what is done |
/// |---|---|
/// | `glue` | the blank line between an event and the next is left out |
/// | `no-end` | the last blank line of the body is left out |
/// | `no-event-line`, `other-event-line` | an `event:` line is left out, or names something else; added where there was none |
/// | `tear` | a line end in the middle of a `data:` line |
/// | `bad-byte` | a byte that is no UTF-8, in the middle of a `data:` line |
/// | `no-brace` | the last byte of the data is left out |
/// | `cut-inside`, `cut-behind` | the body ends in the middle of an event, or behind it |
/// | `drop`, `double`, `swap` | an event is left out, comes twice, changes places with the next |
/// | `to-front`, `to-end` | an event is moved before the first, or behind the last |
/// | `retype` | an event has another type of the protocol, in its data and on its event line |
/// | `drop-field`, `rename-field`, `null-field` | a member or element is left out, has another name, is null |
/// | `field-type` | a value is of another JSON type |
/// | `double-element` | an element of an array stands twice |
/// | `retarget` | an index or id is another one that is in use, or one that is not |
/// | `relabel` | a word of a fixed vocabulary is another one of it, or none of it |
/// | `other-value`, `empty-value` | a string grows by a letter, a number by 1, a boolean is the other; a string is empty |
///
/// A piece is an event that only adds to what is being said: a delta, or a chunk of it. To drop, double or swap pieces
/// changes content, as the stream may be that of another answer; so does a field that is left out of a piece so that a
/// sound event without one is left, where the protocol has such, and whatever is done to members that the
/// protocol's owner does not know. So do other values, known words for why an
/// answer ended or failed, and another id where no second event names it. All else is structure or framing.
struct Change {
  std::string_view kind;
  ChangePart part = ChangePart::structure;
  std::size_t event = 0;    ///< which one, of those of the body
  std::string event_class;  ///< its type, with those of what is inside, or another short label
  std::string field;        ///< JSON pointer; empty where the change is to the whole event
  std::string field_class;  ///< the same with `*` for places in arrays
  std::string to;           ///< what it becomes, where that is not plain from the kind
  std::string body;         ///< all bytes, with the change
};

/// All small changes of a body, in a fixed order. The body is one that was read as conforming; what of it is not JSON is
/// changed as a whole only.
///
/// Left out is what the protocol says means nothing: to drop, double or swap an event that says
/// nothing, to leave out, rename or null a member that may be absent and in which nothing stands, the order of an object's members, white space and comments, events that change places with their equals, and changes
/// that leave the bytes as they were.
std::vector<Change> small_changes(std::string_view protocol, std::string_view body);

}  // namespace splitproof::selftest
