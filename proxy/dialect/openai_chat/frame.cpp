#include "proxy/dialect/openai_chat/frame.hpp"

#include <algorithm>
#include <cctype>

#include "proxy/dialect/reported.hpp"

namespace splitproof::proxy::dialect {
ChatFrame::ChatFrame(const wire::Frame& frame, const Limits& limits)
    : text_(trimmed(frame.data)),
      document_(text_, limits.json_depth),
      kind_(Kind::unreadable),
      problem_(why_unreadable(frame, document_, limits)) {
  const bool chunk_by_name = frame.event.empty() || frame.event == "message" || frame.event == "error";
  if (frame.bare) {
    kind_ = problem_.empty() ? Kind::bare : Kind::nothing;
  } else if (frame.oversized) {
    kind_ = Kind::unreadable;
  } else if (text_.empty()) {
    kind_ = Kind::nothing;
  } else if (text_ == "[DONE]") {
    kind_ = Kind::done;
  } else if (problem_.empty()) {
    kind_ = Kind::chunk;
  } else if (!frame.terminated) {
    kind_ = Kind::torn;
  } else if (!chunk_by_name) {
    kind_ = Kind::nothing;
  }
}

std::string chat_finish(const wire::Json& choice) {
  std::string said = choice["finish_reason"].text();
  std::transform(said.begin(), said.end(), said.begin(), [](unsigned char c) { return std::tolower(c); });
  return said == "null" ? std::string() : said;
}

}  // namespace splitproof::proxy::dialect
