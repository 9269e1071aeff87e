#pragma once

#include <string_view>

#include "proxy/dialect/answer.hpp"

namespace splitproof::proxy::dialect {

/// Returns the answer for a client without a stream: a response of `Converse`, or an error. `stream` is a whole stream
/// by the writer. A call is left out if its arguments were cut off.
Answer converse_whole_answer(std::string_view stream);

}  // namespace splitproof::proxy::dialect
