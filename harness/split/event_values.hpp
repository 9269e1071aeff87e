#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/framing.hpp"

namespace splitproof::split {

/// The words of `set` and of `form` (event_edit.hpp).
inline constexpr std::array<std::string_view, 13> kOddValues = {
    "null", "empty", "zero", "one", "minus", "huge", "yes", "no", "list", "object", "emoji", "brace", "stop"};
inline constexpr std::array<std::string_view, 9> kForms = {"text",   "number", "list",  "bare", "written",
                                                           "parsed", "upper",  "camel", "last"};

// Changes of one JSON value of an event. Values are numbered from 0, each before the values in it. The framing is never
// `sse_or_array`. All return nullopt if the event has no such value, if the change does not apply to the value, and if it
// would change nothing. Other bytes of the event stay.

/// Counts the JSON values in the data of an event; 0 if that is no JSON.
std::size_t count_values(std::string_view event, Framing framing);

/// Returns the event with one of kOddValues as the value.
std::optional<std::string> with_odd_value(std::string_view event, Framing framing, std::size_t value,
                                          std::string_view word);

/// Returns the event with a value of another event, or of itself.
std::optional<std::string> with_value_of(std::string_view event, Framing framing, std::size_t value,
                                         std::string_view other, std::size_t value_of_other);

/// Returns the event without the member or the element.
std::optional<std::string> without_value(std::string_view event, Framing framing, std::size_t value);

/// Returns the event with a text twice, the last element of a list twice, or a number plus one.
std::optional<std::string> with_doubled_value(std::string_view event, Framing framing, std::size_t value);

/// Returns the event with the same value in another form, one of kForms.
std::optional<std::string> with_form(std::string_view event, Framing framing, std::size_t value,
                                     std::string_view word);

/// Returns the event with the end of a line after a comma between JSON values, counted from 0: a server-sent event has two
/// lines of data then.
std::optional<std::string> with_line_end_after(std::string_view event, Framing framing, std::size_t comma);

}  // namespace splitproof::split
