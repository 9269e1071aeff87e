#include "proxy/dialect/openai_chat/chunk.hpp"

#include "proxy/wire/ascii.hpp"

namespace splitproof::proxy::dialect {

StreamFrame chat_frame(const wire::Frame& frame, const Limits& limits) {
  const bool chunk_by_name = frame.event.empty() || frame.event == "message" || frame.event == "error";
  return {frame, limits, chunk_by_name ? Named::nothing : Named::extension};
}

std::string chat_finish(const wire::Json& choice) {
  std::string said = wire::lowered(choice["finish_reason"].text());
  return said == "null" ? std::string() : said;
}

}  // namespace splitproof::proxy::dialect
