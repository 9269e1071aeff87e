#pragma once

#include <optional>
#include <vector>

#include "proxy/dialect/google_gemini/calls.hpp"
#include "proxy/limits.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/wire/frame.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Reads an answer of Gemini's `generateContent` or `streamGenerateContent` into the canonical turn.
///
/// Parts become events in their order: text, thinking and calls. Only the candidate with index 0 or without an index
/// counts. Signatures of parts are left out, because no other protocol can return them on their part. So is the work of
/// tools that the provider runs. Images, audio and files are `Unplaced`. `partialArgs` are gathered until their call is
/// whole.
///
/// The end of the body ends the answer. The last `usageMetadata` with a count is valid. The last `finishReason` counts, or a `promptFeedback` that blocks the prompt. A
/// frame that is cut off, or a call whose pieces lack their end, leaves the answer without an end. An `error` is a
/// failure, and so is a frame that is not a JSON object.
class GeminiReader {
 public:
  explicit GeminiReader(Limits limits) : limits_(limits), calls_(limits) {}

  /// Reads one frame and appends its events.
  void read(const wire::Frame& frame, std::vector<turn::Event>& events);

  /// Takes the end of the body. Appends the counts and the reason why the model stopped, if there are any.
  void finish(turn::BodyEnd end, std::vector<turn::Event>& events);

  bool operator==(const GeminiReader&) const = default;

 private:
  void read_answer(const wire::Json& answer, std::vector<turn::Event>& events);
  void read_usage(const wire::Json& usage);
  void read_part(const wire::Json& part, std::vector<turn::Event>& events);

  Limits limits_;
  GeminiCalls calls_;
  std::optional<turn::Usage> usage_;  // The last counts so far.
  std::optional<turn::Event> end_;    // The last reason so far.
  bool torn_ = false;                 // The body ended inside a frame.
};

}  // namespace splitproof::proxy::dialect
