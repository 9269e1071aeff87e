#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "proxy/dialect/kiro_eventstream/calls.hpp"
#include "proxy/dialect/knobs.hpp"
#include "proxy/limits.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Reads the answers of Kiro's `generateAssistantResponse` into the canonical turn.
///
/// - Each event adds its own text, even if it equals the text of the event before.
/// - A `metadataEvent` with a stopReason ends the answer. With AnswerEnd::metering a `meteringEvent` ends it too.
/// - The end is sent after the last frame of the body, since a frame after the `metadataEvent` can still be damaged.
/// - Credits come in the middle of answers too. So a `meteringEvent` is no end if more of the answer follows it, if a call has not
///   stopped, or if the body did not end properly.
/// - An exception is a failure, and so is a frame that cannot be read. Unknown events are left out.
class KiroReader {
 public:
  KiroReader(AnswerEnd end, Limits limits) : end_(end), limits_(limits), calls_(limits) {}

  /// Reads one frame and appends its events.
  void read(const wire::Frame& frame, std::vector<turn::Event>& events);

  /// Takes the end of the body and appends the reason why the model stopped, if there is one.
  void finish(turn::BodyEnd end, std::vector<turn::Event>& events);

  bool operator==(const KiroReader&) const = default;

 private:
  void read_event(const std::string& name, const wire::Json& event, std::vector<turn::Event>& events);
  void take_reason(const std::string& reason);

  AnswerEnd end_;
  Limits limits_;
  KiroCalls calls_;
  std::optional<std::string> reason_;
  bool metered_ = false;  // A meteringEvent came, and no content after it.
  bool torn_ = false;
};

}  // namespace splitproof::proxy::dialect
