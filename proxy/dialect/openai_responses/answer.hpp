#pragma once

#include <optional>
#include <string_view>

#include "proxy/dialect/answer.hpp"

namespace splitproof::proxy::dialect {

/// The answer that says what an event stream says, if the response fails in it before it has said anything.
std::optional<Answer> responses_lone_error(std::string_view events);

/// The answer to a client that did not ask for a stream: the response that the last event of a whole stream of the
/// writer holds, or its error.
Answer responses_whole_answer(std::string_view events);

}  // namespace splitproof::proxy::dialect
