#pragma once

#include <optional>
#include <string_view>

#include "proxy/dialect/answer.hpp"

namespace splitproof::proxy::dialect {

/// Returns the answer for an event stream that contains only an error.
std::optional<Answer> chat_lone_error(std::string_view events);

/// Returns the answer for a client without a stream: the completion of a whole stream from the writer, or its error.
/// Arguments that were cut off stay as they are, because they are text here.
Answer chat_whole_answer(std::string_view events);

}  // namespace splitproof::proxy::dialect
