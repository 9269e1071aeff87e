#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/google_gemini/partial_arguments.hpp"
#include "harness/dialect/upstream.hpp"
#include "harness/observe/answer.hpp"
#include "harness/observe/open_prose.hpp"
#include "harness/observe/sse_reader.hpp"
#include "harness/observe/whole_calls.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// Limits above which an answer is an error. No server comes near them.
inline constexpr std::size_t kMaxGeminiFrame = 32 << 20;  ///< Bytes of one frame; an image is in one.
inline constexpr std::size_t kMaxGeminiCalls = 1 << 14;
inline constexpr std::size_t kMaxGeminiCallBytes = 32 << 20;  ///< Bytes of all ids, names and arguments.

/// Reads the meaning of an answer of Gemini, frame by frame. contracts/specifications/gemini.md has the reading of each
/// irregularity. The harness judges translators by it, and shares no code with them. Details:
///
/// - A frame is read in this order: the candidates, the feedback on the prompt, the counts, the error. A part is read in
///   this order: text, call, other members.
/// - The arguments of a call are its `args` without white space.
/// - A call without an id is added only at the end, as in other dialects. A call in pieces is added when it has ended.
/// - A call that begins before a call in pieces has ended also ends that one. An error is as good.
/// - The answer is complete if the first candidate has a reason. If another one lacks it, an error is as good.
/// - The last frame of events without its blank line is read if it is a whole object. An array without `]` was cut off.
/// - One object instead of a stream is read when the body ends. So is an error without `data:` after the last event.
///
/// so_far() depends only on the frames taken. Reading takes time linear in their bytes.
class GeminiReading final : public AnswerReader {
 public:
  void take(const observe::SseEvent& frame) override;
  void take_plain_body(std::string_view body) override;
  const observe::Answer& so_far() const override { return answer_; }
  observe::Answer finished() const override;

  bool operator==(const GeminiReading&) const = default;

 private:
  /// A call whose arguments come in pieces.
  struct OpenCall {
    observe::Part call;
    PartialArguments arguments;

    bool operator==(const OpenCall&) const = default;
  };

  void take_object(const observe::WireJson& frame);
  void take_candidate(const observe::WireJson& candidate);
  void take_part(const observe::WireJson& part);
  void take_signature(const observe::WireJson& part);
  void take_piece(observe::PartKind kind, std::string_view piece);
  void take_call(const observe::WireJson& function);
  void take_pieces(const observe::WireJson& function);
  void take_other(const observe::WireJson& member);
  void take_finish(const observe::WireJson& reason);
  void take_feedback(const observe::WireJson& feedback);
  void take_usage(const observe::WireJson& usage);
  void begin(bool with_text);
  void end_call();
  void note_unread(const char* name, const observe::WireJson& object,
                   std::initializer_list<std::string_view> known);
  void fail(std::string reason);

  observe::Answer answer_;
  observe::OpenProse prose_;
  std::optional<OpenCall> pieces_;
  observe::WholeCalls whole_calls_;
  std::map<std::uint64_t, GeminiReading> others_;  ///< The other candidates by their `index`.
  bool first_ = false;                             ///< The first candidate came.
  bool begun_ = false;                             ///< A piece of a part has come.
  bool content_ = false;                           ///< The frame has content.
  bool torn_ = false;                              ///< The body ended inside its array, or inside a call.
  bool ends_torn_ = false;                         ///< The last frame has no end.
  std::size_t calls_ = 0;
  std::size_t call_bytes_ = 0;
  std::size_t frames_ = 0;  ///< Frames with data.
  std::size_t end_ = 0;     ///< End of the last such frame.
};

}  // namespace splitproof::dialect
