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

/// Limits beyond which an answer is not read on but an error; no server comes near.
inline constexpr std::size_t kMaxConversePayload = 16 << 20;  ///< bytes
inline constexpr std::size_t kMaxConverseBlocks = 4096;

/// Reads what a stream of Bedrock's Converse means, frame by frame:
///
/// - A block is known by its `contentBlockIndex`. A `contentBlockStart` begins one that calls a tool; prose begins with its
///   first piece, and prose of another kind under the same index is another part. The pieces of a call that never began are
///   an error.
/// - `messageStop` says why the model stopped. What comes behind it still counts: the usage in `metadata`, an exception. The
///   answer is whole where the body ends behind a frame.
/// - Redacted thinking, citations and events that nobody knows are left out.
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
  std::size_t sound_ = 0;  ///< frames
  bool torn_ = false;      ///< the body ends inside a frame
};

}  // namespace splitproof::dialect
