#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "proxy/dialect/call_ids.hpp"
#include "proxy/dialect/knobs.hpp"
#include "proxy/request/reply.hpp"
#include "proxy/turn/step.hpp"

namespace splitproof::proxy::dialect {

/// Writes the steps of a turn as an Anthropic Messages event stream. The ledger guarantees the order. The writer adds
/// event names, envelopes and ids.
///
/// Tool call ids match `^[a-zA-Z0-9_-]+$` and are unique in the message. A valid upstream id passes unchanged. Others
/// become `toolu_` and the hexadecimal form of their bytes. Missing or repeated ids are made from the stream's seed and
/// the block's index. The message id is made from the seed too.
class AnthropicWriter {
 public:
  AnthropicWriter(request::Reply reply, ContentFilter content_filter)
      : reply_(std::move(reply)), content_filter_(content_filter) {}

  /// Appends the bytes of one step.
  void write(const turn::Step& step, std::string& out);

  /// Appends an empty event, which may occur between any two events of a message.
  void write_ping(std::string& out) const;

  bool operator==(const AnthropicWriter&) const = default;

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
  ContentFilter content_filter_;
  CallIds call_ids_;
};

}  // namespace splitproof::proxy::dialect
