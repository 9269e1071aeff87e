#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/framing.hpp"
#include "harness/result.hpp"
#include "harness/split/random_cuts.hpp"
#include "harness/split/rechunker.hpp"

namespace splitproof::split {

/// Maximum number of edits in a label, and of bytes of an edited body.
inline constexpr std::size_t kMostEdits = 16;
inline constexpr std::size_t kMostEditedBytes = std::size_t{1} << 20;

/// Returns the events of a body. Joined, they are the body: an event includes the comments before it, and the last one
/// the rest of the body.
std::vector<std::string> events_of(std::string_view body, const BodyFormat& format);

/// Returns the body after the edits of a label, with an arrival for each event. A recut keeps the meaning of a body; an
/// edit need not. A pure function of the arguments. The edits are joined by `+`, and each applies to the result of the
/// edits before it. E and F are numbers of events, V and W of JSON values in the data of an event, all from 0. A value
/// comes before the values in it, so V = 0 is all of the data.
///
///     drop:E           the event is missing
///     copy:E:F         a copy of the event comes before event F, or after the last one
///     swap:E:F         two events change places
///     join:E           the end of the event is missing, so it runs into the next one
///     split:E:C        a line ends after comma C of the JSON, from 0: a server-sent event has two lines of data
///     set:E:V:WORD     another value: null, empty, zero, one, minus, huge, yes, no, list, object, emoji, brace or stop
///     take:E:V:F:W     value W of event F
///     erase:E:V        the member or the element is missing
///     double:E:V       a text twice, a list with its last element twice, or a number plus one
///     form:E:V:WORD    the same value as another server writes it: text, number, list, bare, written, parsed, upper,
///                      camel (its key) or last (its place)
///     flip:N:XX        damages byte N of the body: the bits XX, in hexadecimal, are flipped
///     cross:E:DATA     an event of another body comes before event E (crossed_event.hpp)
///
/// An AWS frame with other JSON gets valid CRCs. Returns an Error if the label is unknown or not in this form, or if an edit
/// does not apply to the body.
Result<Recut> edit_events(std::string_view body, std::string_view label, const BodyFormat& format);

/// Returns the label of one edit that changes the body. `others` are events of other bodies; without any, no edit is
/// `cross`. Returns "" if no edit was found for the body.
std::string draw_edit(std::string_view body, const BodyFormat& format, std::span<const std::string> others,
                      SplitMix64& random);

}  // namespace splitproof::split
