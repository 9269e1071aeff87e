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

/// Reads the answers of Kiro's `generateAssistantResponse` into the canonical turn. Every event adds its own text, also
/// one that is the same as the last.
///
/// There is no closing mark. `metadataEvent` says why the model stopped, and under AnswerEnd::metering `meteringEvent` that it
/// did; either is said only at the end of the body, where no frame was cut off: a frame behind it can still be damaged.
/// Credits come in the middle of answers, too: a `meteringEvent` ends none if more of the answer follows it, if a call has not
/// stopped, or if the body did not end properly.
/// An exception, and a frame that cannot be read, are failures. Events that nobody knows say nothing.
class KiroReader {
 public:
  KiroReader(AnswerEnd end, Limits limits) : end_(end), limits_(limits), calls_(limits) {}

  /// Reads one frame and appends what it says.
  void read(const wire::Frame& frame, std::vector<turn::Event>& events);

  /// The body is over, and ended so: appends why the model stopped, if that was said.
  void finish(turn::BodyEnd end, std::vector<turn::Event>& events);

  bool operator==(const KiroReader&) const = default;

 private:
  void read_event(const std::string& name, const wire::Json& event, std::vector<turn::Event>& events);
  void take_reason(const std::string& reason);

  AnswerEnd end_;
  Limits limits_;
  KiroCalls calls_;
  std::optional<std::string> reason_;
  bool metered_ = false;  // and nothing was said since
  bool torn_ = false;
};

}  // namespace splitproof::proxy::dialect
