#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::selftest {

/// Part of a stream that a change affects.
enum class ChangePart : std::uint8_t {
  framing,    ///< Bytes around the data: lines, blank lines, encoding, the body's end.
  structure,  ///< Events, their order, and the fields of their data: names, JSON types, references between
              ///< events, words of a fixed vocabulary.
  content,    ///< Content of the answer: its pieces, and values that could differ.
};

/// Returns "framing", "structure" or "content".
std::string_view name(ChangePart part);

/// One small change of a conforming body.
///
/// | kind | change |
/// |---|---|
/// | `glue` | removes the blank line between an event and the next |
/// | `no-end` | removes the last blank line of the body |
/// | `no-event-line`, `other-event-line` | removes an `event:` line, or changes its name; adds one if there was none |
/// | `tear` | puts a line end into the middle of a `data:` line |
/// | `bad-byte` | puts a byte that is not UTF-8 into the middle of a `data:` line |
/// | `no-brace` | removes the last byte of the data |
/// | `cut-inside`, `cut-behind` | ends the body in the middle of an event, or after it |
/// | `drop`, `double`, `swap` | removes an event, repeats it, swaps it with the next |
/// | `to-front`, `to-end` | moves an event before the first, or after the last |
/// | `retype` | gives an event another type of the protocol, in its data and on its event line |
/// | `drop-field`, `rename-field`, `null-field` | removes a member or element, renames it, makes it null |
/// | `field-type` | gives a value another JSON type |
/// | `double-element` | repeats an element of an array |
/// | `retarget` | replaces an index or id by another one, in use or not |
/// | `relabel` | replaces a word of a fixed vocabulary by another word of it, or by an unknown word |
/// | `other-value`, `empty-value` | adds a letter to a string, 1 to a number, inverts a boolean; empties a string |
///
/// A piece is an event that only adds content: a delta or a chunk. These changes affect content:
/// - dropped, doubled or swapped pieces, because another answer may have such a stream
/// - a field dropped from a piece, if the protocol also has pieces without it
/// - any change of members that the protocol's owner does not know
/// - other values, and known words for the reason of an end or a failure
/// - another id, if no second event refers to the old one
///
/// All other changes affect structure or framing.
struct Change {
  std::string_view kind;
  ChangePart part = ChangePart::structure;
  std::size_t event = 0;    ///< Index of the event in the body.
  std::string event_class;  ///< Its type with inner types, or another short label.
  std::string field;        ///< JSON pointer; empty if the change affects the whole event.
  std::string field_class;  ///< `field` with `*` for places in arrays.
  std::string to;           ///< The new value, if the kind does not show it.
  std::string body;         ///< All bytes, with the change.
};

/// Returns all small changes of a body, in a fixed order. The body must conform. Data that is not JSON is
/// only changed as a whole.
///
/// Excludes changes without meaning in the protocol:
/// - dropping, doubling or swapping events without content
/// - dropping, renaming or nulling an optional member without a value
/// - the order of an object's members, white space and comments
/// - swapping equal events
/// - changes that leave the bytes equal
std::vector<Change> small_changes(std::string_view protocol, std::string_view body);

}  // namespace splitproof::selftest
