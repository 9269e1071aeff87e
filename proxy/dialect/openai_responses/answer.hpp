#pragma once

#include <optional>
#include <string_view>

#include "proxy/dialect/answer.hpp"

namespace splitproof::proxy::dialect {

/// Returns the answer for an event stream whose response fails before it has any content.
std::optional<Answer> responses_lone_error(std::string_view events);

/// Returns the answer for a client without a stream: the response in the last event of a whole stream from the writer,
/// or its error.
Answer responses_whole_answer(std::string_view events);

}  // namespace splitproof::proxy::dialect
