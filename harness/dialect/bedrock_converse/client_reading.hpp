#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/answer.hpp"
#include "harness/observe/flush_requirement.hpp"
#include "harness/observe/trace.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// A block of an answer, as a client reads it: a text, a thought, a call, or sealed thinking (PartKind::other, with its
/// base64 as text).
struct ConverseBlock {
  observe::Part part;
  std::uint64_t index = 0;
};

/// Reads an answer of ConverseStream as its clients do, event by event (AWS's reference of ConverseStreamOutput, and
/// @aws-sdk/client-bedrock-runtime, which returns the same events). It shares no code with the reader of upstreams, so
/// that each can show a bug of the other.
///
/// The index of an event names its block. Blocks keep the order of their first events. A client stops at an exception.
class ConverseClientReading {
 public:
  /// Takes the data of an event, as aws_document() returns it. Other data is ignored.
  void take(std::string_view document);

  /// Returns the blocks so far. The halves of a character that two events hold are joined.
  std::vector<ConverseBlock> blocks() const;

  const std::optional<std::string>& error() const { return error_; }
  bool stopped() const { return finish_.has_value(); }  ///< The reason for the end came.

  /// Returns the output so far.
  const observe::Due& told() const { return told_; }

  /// Returns all of this in the form of all dialects, without sealed thinking.
  observe::Answer answer() const;

 private:
  void take_delta(std::uint64_t index, const observe::WireJson& delta);
  void take_usage(const observe::WireJson& usage);
  observe::Part& begin(std::uint64_t index, observe::PartKind kind);
  observe::Part* open(std::uint64_t index, observe::PartKind kind);

  std::vector<ConverseBlock> blocks_;
  std::map<std::uint64_t, std::size_t> latest_;  // place of an index's latest block
  observe::Due told_;
  std::optional<observe::FinishReason> finish_;
  observe::Tokens usage_;
  std::optional<std::string> error_;
  observe::ErrorClasses error_classes_;
};

/// Returns the data of a frame that a meter gets, as aws_document() returns it.
std::string document_of(const observe::SseEvent& frame);

}  // namespace splitproof::dialect
