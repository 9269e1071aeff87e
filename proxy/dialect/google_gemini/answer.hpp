#pragma once

#include <string_view>

#include "proxy/dialect/answer.hpp"

namespace splitproof::proxy::dialect {

/// Returns the answer for a client without a stream: the object of a whole stream of events from the writer, or its
/// error. Consecutive texts of one kind are one part.
Answer gemini_whole_answer(std::string_view events);

}  // namespace splitproof::proxy::dialect
