#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/upstream.hpp"
#include "harness/observe/answer.hpp"
#include "harness/observe/open_prose.hpp"
#include "harness/observe/sse_reader.hpp"
#include "harness/observe/surrogates.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// Limits above which an answer is an error. No server comes near them.
inline constexpr std::size_t kMaxKiroPayload = 16 << 20;  ///< Bytes of one frame's payload.
inline constexpr std::size_t kMaxKiroCalls = 1024;
inline constexpr std::size_t kMaxKiroCallBytes = 32 << 20;  ///< Bytes of all calls' ids, names and arguments.

/// Reads the meaning of a stream of Kiro, frame by frame. The harness judges translators by this reading, and shares no
/// code with them. contracts/specifications/provider-quirks.md lists the irregularities.
///
/// No event ends an answer. It is complete if it has a `stopReason` and its body ends after a whole frame. So later
/// frames still count, and so does a damaged byte.
///
/// With `metering_ends`, a `meteringEvent` ends an answer without `stopReason`. But credits also come in the middle of
/// answers. So the event does not count if content comes after it, if a call has not stopped, or if the connection
/// closed without the final chunk.
///
/// so_far() depends only on the frames taken. Reading takes time linear in their bytes.
class KiroReading final : public AnswerReader {
 public:
  explicit KiroReading(bool metering_ends) : metering_ends_(metering_ends) {}

  /// Takes the next frame of the body, as AwsFrameReader reads it.
  void take(const observe::SseEvent& frame) override;

  void take_plain_body(std::string_view body) override;

  const observe::Answer& so_far() const override { return answer_; }
  observe::Answer finished() const override;

  bool operator==(const KiroReading&) const = default;

 private:
  struct Call {
    observe::Part part;             ///< Content of the call until it is placed.
    std::optional<std::size_t> at;  ///< Place among the parts, after both id and name have come.
    std::string id;
    std::string name;
    bool stopped = false;
    observe::SurrogateJoiner pieces;  ///< Pieces of its arguments.

    bool operator==(const Call&) const = default;
  };

  void note_unread(const observe::WireJson& event, const std::string& type, bool is_known);
  void take_piece(observe::PartKind kind, std::string_view piece);
  void take_signature(std::string_view signature);
  void take_tool_use(const observe::WireJson& event);
  Call* call_of(const std::string& id, const std::string& name);
  void place(std::size_t number);
  void fail(std::string reason);

  bool metering_ends_;
  observe::Answer answer_;
  observe::OpenProse prose_;
  std::vector<Call> calls_;          ///< In the order of their first events.
  std::vector<std::size_t> placed_;  ///< Numbers of the calls among the parts, in the order of the parts.
  bool begun_ = false;               ///< A piece of a part has come.
  bool metered_last_ = false;        ///< A `meteringEvent` has come, and no content after it.
  bool torn_ = false;                ///< The body ends inside a frame.
  std::size_t unplaced_ = 0;         ///< Number of calls that lack id or name.
  std::size_t call_bytes_ = 0;
  std::size_t sound_ = 0;  ///< Number of undamaged frames without a failure.
  std::string document_;   ///< The body, if it has no frames. finished() reads it as one JSON document.
};

}  // namespace splitproof::dialect
