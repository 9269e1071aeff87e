#include "proxy/dialect/openai_chat/chunk.hpp"

#include <algorithm>
#include <cctype>

namespace splitproof::proxy::dialect {

StreamFrame chat_frame(const wire::Frame& frame, const Limits& limits) {
  const bool chunk_by_name = frame.event.empty() || frame.event == "message" || frame.event == "error";
  return {frame, limits, chunk_by_name ? Named::nothing : Named::extension};
}

std::string chat_finish(const wire::Json& choice) {
  std::string said = choice["finish_reason"].text();
  std::transform(said.begin(), said.end(), said.begin(), [](unsigned char c) { return std::tolower(c); });
  return said == "null" ? std::string() : said;
}

}  // namespace splitproof::proxy::dialect
