#pragma once

#include <cstddef>
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
inline constexpr std::size_t kMaxKiroPayload = 16 << 20;  ///< bytes
inline constexpr std::size_t kMaxKiroCalls = 1024;
inline constexpr std::size_t kMaxKiroCallBytes = 32 << 20;  ///< of all calls' ids, names and arguments

/// Reads what a stream of Kiro means, frame by frame. It is the yardstick for translators, and shares no code with any.
/// docs/provider-quirks.md says how each irregularity is read.
///
/// The end is no event: an answer is whole where a `stopReason` came and the body ends behind a frame. So whatever comes
/// behind the reason still counts, a damaged byte above all. Where the choices say so, a `meteringEvent` says it, too; but
/// credits also come in the middle of answers. So what is said behind one takes that back, and it counts neither while a
/// call has not stopped nor where the connection closed without the final chunk.
///
/// Promises: what so_far() says is a function of the frames taken, and reading is linear in their bytes.
class KiroReading final : public AnswerReader {
 public:
  explicit KiroReading(bool metering_ends) : metering_ends_(metering_ends) {}

  /// The next frame of the body, as AwsFrameReader reads it.
  void take(const observe::SseEvent& frame) override;

  void take_plain_body(std::string_view body) override;

  const observe::Answer& so_far() const override { return answer_; }
  observe::Answer finished() const override;

  bool operator==(const KiroReading&) const = default;

 private:
  /// The part that prose would be added to. It is placed once it says more than a lone surrogate.
  struct OpenProse {
    observe::PartKind kind;
    bool placed = false;
    observe::SurrogateJoiner surrogates;

    bool operator==(const OpenProse&) const = default;
  };
  struct Call {
    observe::Part part;             ///< while it is not placed
    std::optional<std::size_t> at;  ///< among the parts: both id and name are known
    std::string id;
    std::string name;
    bool stopped = false;
    observe::SurrogateJoiner pieces;  ///< of its arguments

    bool operator==(const Call&) const = default;
  };

  void note_unread(const observe::WireJson& event, const std::string& type, bool is_known);
  void take_piece(observe::PartKind kind, std::string_view piece);
  void take_signature(std::string_view signature);
  void take_tool_use(const observe::WireJson& event);
  Call* call_of(const std::string& id, const std::string& name);
  void place(std::size_t number);
  void end_prose();
  void fail(std::string reason);

  bool metering_ends_;
  observe::Answer answer_;
  std::optional<OpenProse> prose_;
  std::vector<Call> calls_;          ///< in the order of their first sight
  std::vector<std::size_t> placed_;  ///< the numbers of the calls among the parts, in their order
  bool begun_ = false;               ///< a piece of some part came
  bool metered_last_ = false;        ///< a `meteringEvent` came, and nothing was said behind it
  bool torn_ = false;                ///< the body ends inside a frame
  std::size_t unplaced_ = 0;         ///< calls that lack id or name
  std::size_t call_bytes_ = 0;
  std::size_t sound_ = 0;  ///< frames
  std::string document_;   ///< in place of frames: no more than the end of the body shows that it is one
};

}  // namespace splitproof::dialect
