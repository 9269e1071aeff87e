#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proxy/dialect/aws_frame.hpp"
#include "proxy/limits.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/wire/base64.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Reads the answers of Bedrock's `InvokeModelWithResponseStream`. Each `chunk` holds one event of the model's own
/// protocol in base64, and `Inner` is the reader of that protocol.
///
/// An exception is a failure, and so is a frame that cannot be read. Unknown events are left out.
template <class Inner>
class InvokeReader {
 public:
  explicit InvokeReader(Limits limits) : limits_(limits), inner_(limits) {}

  /// Reads one frame and appends its events.
  void read(const wire::Frame& frame, std::vector<turn::Event>& events) {
    if (!frame.terminated) return;
    static constexpr std::array<std::string_view, 1> kRead = {"chunk"};
    const AwsFrame read(frame, limits_, kRead);
    if (read.failure()) return fail(*read.failure(), events);
    if (!read.event()) return;
    std::optional<std::string> bytes = wire::from_base64(read.event()["bytes"].text());
    if (!bytes || bytes->empty())
      return fail({turn::ErrorKind::api, "a frame of the upstream has no base64 data"}, events);
    inner_.read(wire::Frame{{}, *std::move(bytes)}, events);
  }

  /// Takes the end of the body and appends what waits.
  void finish(turn::BodyEnd end, std::vector<turn::Event>& events) { inner_.finish(end, events); }

  bool operator==(const InvokeReader&) const = default;

 private:
  // Content that waits comes before the failure.
  void fail(turn::Failure failure, std::vector<turn::Event>& events) {
    inner_.finish(turn::BodyEnd::complete, events);
    events.emplace_back(std::move(failure));
  }

  Limits limits_;
  Inner inner_;
};

}  // namespace splitproof::proxy::dialect
