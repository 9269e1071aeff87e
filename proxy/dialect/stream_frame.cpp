#include "proxy/dialect/stream_frame.hpp"

#include "proxy/dialect/reported.hpp"

namespace splitproof::proxy::dialect {

StreamFrame::StreamFrame(const wire::Frame& frame, const Limits& limits, Named named)
    : text_(trimmed(frame.data)),
      document_(text_, limits.json_depth),
      kind_(Kind::unreadable),
      problem_(why_unreadable(frame, document_, limits)) {
  if (frame.bare) {
    kind_ = problem_.empty() ? Kind::bare : Kind::nothing;
  } else if (frame.oversized) {
    kind_ = Kind::unreadable;
  } else if (text_.empty() && named != Named::error) {
    kind_ = Kind::nothing;
  } else if (text_ == "[DONE]" && named != Named::error) {
    kind_ = Kind::done;
  } else if (problem_.empty()) {
    kind_ = Kind::object;
  } else if (!frame.terminated) {
    kind_ = Kind::torn;
  } else if (named == Named::extension) {
    kind_ = Kind::nothing;
  }
}

}  // namespace splitproof::proxy::dialect
