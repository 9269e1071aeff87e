#pragma once

#include <optional>
#include <string_view>

#include "proxy/dialect/answer.hpp"

namespace splitproof::proxy::dialect {

/// The answer that says what an event stream says, if all it says is an error.
std::optional<Answer> chat_lone_error(std::string_view events);

/// The answer to a client that did not ask for a stream: the completion that a whole stream of the writer adds up to, or
/// its error. Arguments that were cut off stand in it as they are: they are text here.
Answer chat_whole_answer(std::string_view events);

}  // namespace splitproof::proxy::dialect
