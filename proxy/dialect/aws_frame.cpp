#include "proxy/dialect/aws_frame.hpp"

#include <algorithm>
#include <string>

#include "proxy/dialect/aws_failure.hpp"
#include "proxy/dialect/reported.hpp"

namespace splitproof::proxy::dialect {

AwsFrame::AwsFrame(const wire::Frame& frame, const Limits& limits, std::span<const std::string_view> known)
    : document_(frame.data, limits.json_depth) {
  const bool error = frame.bare || frame.event == "error";
  const bool is_known = std::find(known.begin(), known.end(), frame.event) != known.end();
  const bool unreadable = frame.oversized || !frame.damage.empty();
  if (!(error || is_known || unreadable)) return;
  const std::string problem = why_unreadable(frame, document_, limits);
  if (error && !(frame.bare && !problem.empty())) {
    failure_ = aws_failure(frame, document_.root());
  } else if (!problem.empty()) {
    // The error lacks the frame's number, so that the same answer in other frames ends in the same error.
    const std::string what =
        frame.bare ? "the upstream's answer is no event stream, and " : "a frame of the upstream ";
    failure_ = turn::Failure{turn::ErrorKind::api, what + problem};
  } else {
    is_event_ = true;
  }
}

}  // namespace splitproof::proxy::dialect
