#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/upstream.hpp"
#include "harness/observe/answer.hpp"
#include "harness/observe/sse_reader.hpp"
#include "harness/observe/surrogates.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// Limits beyond which an answer is not read on but an error; no server comes near.
inline constexpr std::size_t kMaxOllamaLine = 16 << 20;  ///< bytes
inline constexpr std::size_t kMaxOllamaCalls = 1024;
inline constexpr std::size_t kMaxOllamaCallBytes = 32 << 20;  ///< of all calls' ids, names and arguments

/// Reads what a chat stream of Ollama means, line by line. It is the yardstick for translators, and shares no code with
/// any. What is read where the documents leave a choice:
///
/// - Within a line: thinking, content, calls in the order of their array. Then an error; without one, the end.
/// - `done: true` ends the answer, whatever its `done_reason` is, and also without one: older servers give none. Nothing
///   behind that line counts. "length" means cut short, any other word that the model stopped.
/// - An `error` that is a text, object or array and not empty is an error. So is a line that is not one JSON object; of a
///   last line without its LF, that means nothing, and how the body ended decides.
/// - Every element of `tool_calls` is a call of its own. Its arguments are the bytes of the JSON value; of a text, what it
///   says; of null, none. Its rank is `index`, in the function or beside it, else how many calls came before it.
/// - A call without an id is known for what it is at the end alone, as with other dialects.
/// - The model is the first that a line with a message, or the last line, names. The tokens stand in the last line.
/// - Halves of a surrogate pair join across the pieces of one part.
///
/// Promises: what so_far() says is a function of the lines taken, and reading is linear in their bytes.
class OllamaReading final : public AnswerReader {
 public:
  /// The next line of the body, as JsonLinesReader reads it.
  void take(const observe::SseEvent& line) override;

  /// Does nothing: a body that is one line, as that of an error, was read as such.
  void take_plain_body(std::string_view) override {}

  const observe::Answer& so_far() const override { return answer_; }
  observe::Answer finished() const override;

  bool operator==(const OllamaReading&) const = default;

 private:
  /// The part that prose would be added to. It is placed once it says more than a lone surrogate.
  struct OpenProse {
    observe::PartKind kind;
    bool placed = false;
    observe::SurrogateJoiner surrogates;

    bool operator==(const OpenProse&) const = default;
  };

  void take_line(const observe::WireJson& line);
  void take_piece(observe::PartKind kind, std::string_view piece);
  void take_call(const observe::WireJson& element);
  void take_end(const observe::WireJson& line);
  void end_prose();
  void fail(std::string reason);

  observe::Answer answer_;
  std::optional<OpenProse> prose_;
  std::vector<observe::Part> without_id_;  ///< calls that lack id or name, in their order
  std::vector<std::size_t> unplaced_;      ///< the numbers of these
  std::vector<std::size_t> placed_;        ///< the numbers of the calls among the parts, in their order
  bool begun_ = false;                     ///< a piece of some part came
  std::size_t calls_ = 0;
  std::size_t call_bytes_ = 0;
  std::size_t lines_ = 0;
};

}  // namespace splitproof::dialect
