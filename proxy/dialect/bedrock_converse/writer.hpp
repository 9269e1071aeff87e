#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "proxy/dialect/call_ids.hpp"
#include "proxy/request/reply.hpp"
#include "proxy/turn/step.hpp"

namespace splitproof::proxy::dialect {

/// Writes the steps of a turn as a stream of Bedrock's `ConverseStream`: frames of JSON events. The ledger guarantees
/// the order. As in the service's own streams, only a block with a call has a `contentBlockStart`. A failed message ends
/// with an exception.
///
/// Tool call ids have 1 to 64 letters, digits, `_` and `-`, and are unique in the message. A valid upstream id passes
/// unchanged. Others become `tooluse_` and a hash, or the stream's seed and the block's index if there is none.
class ConverseWriter {
 public:
  explicit ConverseWriter(request::Reply reply) : reply_(std::move(reply)), now_(reply_.created) {}

  /// Appends the bytes of one step.
  void write(const turn::Step& step, std::string& out);

  /// Sets the current time, in seconds since 1970, for the latency.
  void set_time(std::uint64_t now) { now_ = now; }

  /// Appends nothing: the protocol has no frame without meaning.
  void write_ping(std::string& /*out*/) const {}

  bool operator==(const ConverseWriter&) const = default;

 private:
  void put(const turn::StartMessage& step, std::string& out);
  void put(const turn::OpenBlock& step, std::string& out);
  void put(const turn::AppendBlock& step, std::string& out);
  void put(const turn::SignBlock& step, std::string& out);
  void put(const turn::SealedBlock& step, std::string& out);
  void put(const turn::CloseBlock& step, std::string& out);
  void put(const turn::FinishMessage& step, std::string& out);
  void put(const turn::FailMessage& step, std::string& out);

  std::string call_id(const turn::OpenBlock& step);

  request::Reply reply_;
  std::uint64_t now_;
  CallIds call_ids_;
};

}  // namespace splitproof::proxy::dialect
