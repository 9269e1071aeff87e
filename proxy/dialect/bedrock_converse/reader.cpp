#include "proxy/dialect/bedrock_converse/reader.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "proxy/dialect/aws_frame.hpp"
#include "proxy/dialect/finish_word.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::BlockKind;
using turn::Event;
using wire::Json;
using wire::JsonKind;

// The events that are read.
constexpr std::array<std::string_view, 6> kRead = {
    "messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata"};

// True for the start of a block that means something to the provider only, so that an answer may lack it.
bool is_providers(const Json& start) {
  return start["toolResult"] || start["toolUse"]["type"].text() == "server_tool_use";
}

}  // namespace

void ConverseReader::read(const wire::Frame& frame, std::vector<Event>& events) {
  if (!frame.terminated) torn_ = true;
  if (torn_) return;
  const AwsFrame read(frame, limits_, kRead);
  if (read.failure()) {
    settle_last(false, events);
    events.push_back(*read.failure());
  }
  if (read.event()) read_event(frame.event, read.event(), events);
}

void ConverseReader::read_event(const std::string& name, const Json& event, std::vector<Event>& events) {
  const std::uint64_t index = event["contentBlockIndex"].count().value_or(0);
  if (name == "messageStart") {
    if (!std::exchange(started_, true)) events.push_back(turn::Begin{});
  } else if (name == "contentBlockStart") {
    start_block(index, event["start"], events);
  } else if (name == "contentBlockDelta") {
    read_delta(index, event["delta"], events);
  } else if (name == "contentBlockStop") {
    stop_block(index, events);
  } else if (name == "messageStop") {
    if (event["stopReason"].is(JsonKind::string)) stop_reason_ = event["stopReason"].text();
  } else {
    usage_.take(event["usage"]);
  }
}

void ConverseReader::start_block(std::uint64_t index, const Json& start, std::vector<Event>& events) {
  const Json use = start["toolUse"];
  const bool provider = is_providers(start);
  if (start["image"]) events.push_back(turn::Unplaced{"an image"});
  if (!use || provider) {
    // A block of text or thinking gets its kind with its first delta.
    by_index_.erase(index);
    if (provider) add_block(index, Kind::other, events);
    return;
  }
  Block* block = add_block(index, Kind::call, events);
  if (block == nullptr) return;
  turn::CallPiece piece{
      block->call, index, wire::whole(use["toolUseId"].text()), wire::whole(use["name"].text()), {}};
  block->named = !piece.name.empty();
  events.push_back(std::move(piece));
}

void ConverseReader::read_delta(std::uint64_t index, const Json& delta, std::vector<Event>& events) {
  const auto found = by_index_.find(index);
  if (found != by_index_.end() && blocks_[found->second].kind == Kind::other) return;
  if (delta["text"]) {
    add_prose(index, Kind::text, delta["text"], events);
  } else if (delta["reasoningContent"]) {
    read_thinking(index, delta["reasoningContent"], events);
  } else if (delta["toolUse"]) {
    read_arguments(index, delta["toolUse"]["input"], events);
  } else if (delta["image"]) {
    events.push_back(turn::Unplaced{"an image"});
  } else if (!delta["citation"] && !delta["toolResult"]) {
    events.push_back(turn::unknown_content());
  }
}

void ConverseReader::read_thinking(std::uint64_t index, const Json& thinking, std::vector<Event>& events) {
  add_prose(index, Kind::thinking, thinking["text"], events);
  if (const std::string piece = wire::whole(thinking["signature"].text()); !piece.empty()) {
    if (Block* block = block_of(index, Kind::thinking, events)) block->signature += piece;
  }
  if (std::string sealed = wire::whole(thinking["redactedContent"].text()); !sealed.empty()) {
    if (add_block(index, Kind::other, events) != nullptr) events.push_back(turn::Sealed{std::move(sealed)});
  }
  if (!thinking["text"] && !thinking["signature"] && !thinking["redactedContent"])
    events.push_back(turn::unknown_content());
}

void ConverseReader::read_arguments(std::uint64_t index, const Json& input, std::vector<Event>& events) {
  std::string piece = input.text();
  if (piece.empty()) return;
  Block* block = block_of(index, Kind::call, events);
  if (block == nullptr) return;
  block->argued = true;
  events.push_back(turn::CallPiece{block->call, index, {}, {}, std::move(piece)});
}

void ConverseReader::add_prose(std::uint64_t index, Kind kind, const Json& text, std::vector<Event>& events) {
  std::string said = text.text();
  if (said.empty() || block_of(index, kind, events) == nullptr) return;
  events.push_back(turn::Prose{kind == Kind::text ? BlockKind::text : BlockKind::thinking, std::move(said),
                               by_index_[index]});
}

// Starts a block. Returns null if the message has no room for it.
ConverseReader::Block* ConverseReader::add_block(std::uint64_t index, Kind kind, std::vector<Event>& events) {
  settle_last(true, events);
  if (blocks_.size() == limits_.parts) {
    events.push_back(
        turn::Failure{turn::ErrorKind::api, "the upstream sent more blocks than one message may hold"});
    return nullptr;
  }
  by_index_[index] = blocks_.size();
  Block& block = blocks_.emplace_back();
  block.kind = kind;
  block.rank = index;
  if (kind == Kind::call) block.call = calls_++;
  return &block;
}

// Returns the latest block of this index if it has this kind, or a new block.
ConverseReader::Block* ConverseReader::block_of(std::uint64_t index, Kind kind, std::vector<Event>& events) {
  const auto found = by_index_.find(index);
  if (found != by_index_.end() && blocks_[found->second].kind == kind) return &blocks_[found->second];
  return add_block(index, kind, events);
}

void ConverseReader::stop_block(std::uint64_t index, std::vector<Event>& events) {
  const auto found = by_index_.find(index);
  if (found == by_index_.end()) return;
  blocks_[found->second].stopped = true;
  send_signature(blocks_[found->second], events);
  events.push_back(turn::Close{found->second});
}

void ConverseReader::send_signature(Block& block, std::vector<Event>& events) {
  if (!block.signature.empty()) events.push_back(turn::Signature{std::exchange(block.signature, {}), true});
}

// Sends what waits in the last block. A call without arguments certainly has none once the message went on after it.
// Otherwise it may have been cut off.
void ConverseReader::settle_last(bool went_on, std::vector<Event>& events) {
  if (blocks_.empty()) return;
  Block& block = blocks_.back();
  send_signature(block, events);
  if (!went_on || block.kind != Kind::call || block.argued || !block.stopped || !block.named) return;
  block.argued = true;
  events.push_back(turn::CallPiece{block.call, block.rank, {}, {}, "{}"});
}

void ConverseReader::finish(turn::BodyEnd /*end*/, std::vector<Event>& events) {
  settle_last(false, events);
  if (torn_) return;
  events.push_back(usage_.usage());
  if (stop_reason_) events.push_back(finish_of("aws", *stop_reason_));
}

}  // namespace splitproof::proxy::dialect
