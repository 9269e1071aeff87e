#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/upstream.hpp"
#include "harness/observe/answer.hpp"
#include "harness/observe/open_prose.hpp"
#include "harness/observe/sse_reader.hpp"
#include "harness/observe/whole_calls.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// Limits above which an answer is an error. No server comes near them.
inline constexpr std::size_t kMaxOllamaLine = 16 << 20;  ///< Bytes of one line.
inline constexpr std::size_t kMaxOllamaCalls = 1024;
inline constexpr std::size_t kMaxOllamaCallBytes = 32 << 20;  ///< Bytes of all ids, names and arguments.

/// Reads the meaning of a chat stream of Ollama, line by line. The harness judges translators by this reading, and
/// shares no code with them. The documents leave these choices to the reading:
///
/// - A line is read in this order: thinking, content, calls in the order of their array, error, end. After an error,
///   the end does not count.
/// - `done: true` ends the answer with any `done_reason`, and also without one, as in older servers. Later lines do not
///   count.
/// - contracts/vocabulary/finish.yaml has the meanings of the reasons. A missing reason means that the model stopped.
/// - A non-empty `error` is an error if it is a text, an object or an array. A line that is not one JSON object is an
///   error, too. Such a line does not count if it is the last and has no LF. Then the end of the body decides.
/// - Every element of `tool_calls` is a call. Its arguments are the bytes of the JSON value. A text gives its content,
///   and null gives no arguments.
/// - The rank of a call is `index`, in the function or next to it. Without an `index` it is the number of calls before.
/// - A call without an id is added only at the end, as in other dialects.
/// - The model is the first name in a line with a message or in the last line. The last line has the tokens.
/// - Halves of a surrogate pair join across the pieces of one part.
///
/// so_far() depends only on the lines taken. Reading takes time linear in their bytes.
class OllamaReading final : public AnswerReader {
 public:
  /// Takes the next line of the body, as JsonLinesReader reads it.
  void take(const observe::SseEvent& line) override;

  /// Does nothing, because take() already read a body of one line, such as an error.
  void take_plain_body(std::string_view) override {}

  const observe::Answer& so_far() const override { return answer_; }
  observe::Answer finished() const override;

  bool operator==(const OllamaReading&) const = default;

 private:
  void take_line(const observe::WireJson& line);
  void take_piece(observe::PartKind kind, std::string_view piece);
  void take_call(const observe::WireJson& element);
  void take_end(const observe::WireJson& line);
  void fail(std::string reason);

  observe::Answer answer_;
  observe::OpenProse prose_;
  observe::WholeCalls whole_calls_;
  bool begun_ = false;  ///< A piece of a part has come.
  std::size_t calls_ = 0;
  std::size_t call_bytes_ = 0;
  std::size_t lines_ = 0;
};

}  // namespace splitproof::dialect
