#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "harness/dialect/upstream.hpp"
#include "harness/observe/answer.hpp"
#include "harness/observe/sse_reader.hpp"
#include "harness/observe/surrogates.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// Limits above which an answer is an error. No server comes near them.
inline constexpr std::size_t kMaxConversePayload = 16 << 20;  ///< Bytes of one frame's payload.
inline constexpr std::size_t kMaxConverseBlocks = 4096;

/// Reads the meaning of a stream of Bedrock's Converse, frame by frame:
///
/// - `contentBlockIndex` identifies a block. A `contentBlockStart` begins a block with a call. Prose begins with its
///   first piece. Prose of another kind under the same index is another part.
/// - The pieces of a call that never began are an error.
/// - `messageStop` has the reason why the model stopped. Later frames still count: the usage in `metadata`, and an
///   exception. The answer is complete if the body ends after a whole frame.
/// - Redacted thinking, citations and unknown events are left out.
class ConverseReading final : public AnswerReader {
 public:
  void take(const observe::SseEvent& frame) override;
  void take_plain_body(std::string_view body) override;
  const observe::Answer& so_far() const override { return answer_; }
  observe::Answer finished() const override;

  bool operator==(const ConverseReading&) const = default;

 private:
  struct Block {
    observe::PartKind kind = observe::PartKind::text;
    std::size_t part = 0;
    observe::SurrogateJoiner pieces;

    bool operator==(const Block&) const = default;
  };

  void note_unread(const observe::WireJson& event);
  void take_start(const observe::WireJson& event);
  void take_delta(const observe::WireJson& event);
  void take_usage(const observe::WireJson& usage);
  observe::Part& add_to(std::uint64_t index, observe::PartKind kind, std::string_view piece);

  observe::Answer answer_;
  std::map<std::uint64_t, Block> blocks_;
  std::size_t calls_ = 0;
  std::size_t sound_ = 0;  ///< Number of undamaged frames without a failure.
  bool torn_ = false;      ///< The body ends inside a frame.
};

}  // namespace splitproof::dialect
