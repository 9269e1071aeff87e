#include "proxy/dialect/anthropic_messages/reader.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "proxy/dialect/anthropic_messages/errors.hpp"
#include "proxy/dialect/finish_word.hpp"
#include "proxy/dialect/reported.hpp"
#include "proxy/dialect/stream_frame.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::BlockKind;
using turn::Event;
using turn::Finish;
using wire::Json;
using wire::JsonKind;

void add_prose(BlockKind kind, std::size_t part, const Json& text, std::vector<Event>& events) {
  if (std::string said = text.text(); !said.empty())
    events.push_back(turn::Prose{kind, std::move(said), part});
}

// True if a block of this type means something to the provider only, so that an answer may lack it.
bool is_providers(std::string_view type) {
  constexpr std::array<std::string_view, 4> kTypes = {"redacted_thinking", "compaction", "fallback",
                                                      "container_upload"};
  return type.ends_with("_tool_use") || type.ends_with("_tool_result") ||
         std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

}  // namespace

void AnthropicReader::read(const wire::Frame& frame, std::vector<Event>& events) {
  const bool named_error = frame.event == "error";
  const StreamFrame read(frame, limits_, named_error ? Named::error : Named::nothing);
  const Json event = read.object();
  switch (read.kind()) {
    case StreamFrame::Kind::nothing:
    case StreamFrame::Kind::done:
    case StreamFrame::Kind::torn:
      return;
    case StreamFrame::Kind::bare:
      if (event["error"]) events.push_back(messages_failure(event));
      return;
    case StreamFrame::Kind::object:
      return read_event(event, named_error ? "error" : event["type"].text(), events);
    case StreamFrame::Kind::unreadable:
      break;
  }
  settle_last(false, events);
  events.push_back(turn::Failure{turn::ErrorKind::api, "an event of the upstream " + read.problem()});
}

void AnthropicReader::read_event(const Json& event, const std::string& type, std::vector<Event>& events) {
  if (type == "error" || (type.empty() && event["error"].is(JsonKind::object))) {
    settle_last(false, events);
    events.push_back(messages_failure(event));
  } else if (type == "message_start") {
    start_message(event["message"], events);
  } else if (type == "message_delta") {
    take_reason(event["delta"]["stop_reason"]);
    usage_.take(event["usage"]);
  } else if (type == "message_stop") {
    end(events);
  } else if (type == "content_block_start") {
    start_block(event["index"].count(), event["content_block"], events);
  } else if (type == "content_block_delta" || type == "content_block_stop") {
    const auto index = event["index"].count();
    const auto found = index ? by_index_.find(*index) : by_index_.end();
    const bool is_delta = type == "content_block_delta";
    if (found == by_index_.end()) {
      if (is_delta) read_stray(event["delta"], events);
    } else if (is_delta) {
      read_delta(found->second, event["delta"], events);
    } else {
      stop_block(found->second, events);
    }
  }
}

// Reads a message_start. Its content is the part of the message that an earlier response had.
void AnthropicReader::start_message(const Json& message, std::vector<Event>& events) {
  const std::string id = message["id"].text();
  if (std::exchange(started_, true)) {
    if (!id.empty() && !id_.empty() && id != id_)
      events.push_back(
          turn::Failure{turn::ErrorKind::api, "the upstream began another message before this one ended"});
    return;
  }
  id_ = id;
  events.push_back(turn::Begin{wire::whole(message["model"].text())});
  take_reason(message["stop_reason"]);
  usage_.take(message["usage"]);
  for (Json block = message["content"].first(); block; block = block.next()) {
    if (!start_block(std::nullopt, block, events)) return;
    stop_block(blocks_.size() - 1, events);
  }
}

// Starts a block. Returns false if there is no room for it.
bool AnthropicReader::start_block(std::optional<std::uint64_t> index, const Json& start,
                                  std::vector<Event>& events) {
  settle_last(true, events);
  if (blocks_.size() == limits_.parts) {
    events.push_back(
        turn::Failure{turn::ErrorKind::api, "the upstream sent more blocks than one message may hold"});
    return false;
  }
  const std::size_t number = blocks_.size();
  const auto [place, is_new] = by_index_.try_emplace(index.value_or(number), number);
  const std::size_t before = std::exchange(place->second, number);
  // No event can name the earlier block with this index any more.
  if (!is_new && !blocks_[before].stopped) events.push_back(turn::Close{before});
  Block& block = blocks_.emplace_back();
  const std::string type = start["type"].text();
  if (type == "text") {
    block.type = BlockType::text;
    add_prose(BlockKind::text, number, start["text"], events);
  } else if (type == "thinking") {
    block.type = BlockType::thinking;
    add_prose(BlockKind::thinking, number, start["thinking"], events);
    block.signature = wire::whole(start["signature"].text());
  } else if (type == "tool_use") {
    block.type = BlockType::call;
    block.rank = index.value_or(number);
    start_call(block, start, events);
  } else if (!is_providers(type)) {
    events.push_back(turn::unknown_content());
  }
  return true;
}

void AnthropicReader::start_call(Block& block, const Json& start, std::vector<Event>& events) {
  block.call = calls_++;
  turn::CallPiece piece{
      block.call, block.rank, wire::whole(start["id"].text()), wire::whole(start["name"].text()), {}};
  block.named = !piece.name.empty();
  const Json input = start["input"];
  if (input.is(JsonKind::string)) {
    block.input = input.text();
  } else if (!input.is(JsonKind::null) && !(input.is(JsonKind::object) && input.empty())) {
    block.input = input.raw();
  }
  events.push_back(std::move(piece));
}

void AnthropicReader::read_delta(std::size_t number, const Json& delta, std::vector<Event>& events) {
  Block& block = blocks_[number];
  const std::string type = delta["type"].text();
  if (type == "text_delta" && block.type == BlockType::text) {
    add_prose(BlockKind::text, number, delta["text"], events);
  } else if (type == "thinking_delta" && block.type == BlockType::thinking) {
    add_prose(BlockKind::thinking, number, delta["thinking"], events);
  } else if (type == "signature_delta" && block.type == BlockType::thinking) {
    if (std::string signature = wire::whole(delta["signature"].text()); !signature.empty())
      block.signature = std::move(signature);
  } else if (type == "input_json_delta" && block.type == BlockType::call) {
    std::string piece = delta["partial_json"].text();
    if (piece.empty()) return;
    block.argued = true;
    block.input.clear();
    events.push_back(turn::CallPiece{block.call, block.rank, {}, {}, std::move(piece)});
  } else if (block.type != BlockType::other && type != "signature_delta" && type != "citations_delta") {
    events.push_back(turn::unknown_content());
  }
}

// Reads a delta for a block that never started. Anthropic's SDK fails on it.
void AnthropicReader::read_stray(const Json& delta, std::vector<Event>& events) {
  for (const auto& [type, member] :
       {std::pair("text_delta", "text"), std::pair("thinking_delta", "thinking"),
        std::pair("signature_delta", "signature"), std::pair("input_json_delta", "partial_json")}) {
    if (delta["type"].text() != type || delta[member].text().empty()) continue;
    settle_last(false, events);
    events.push_back(
        turn::Failure{turn::ErrorKind::api, "the upstream went on with a block that never started"});
  }
}

void AnthropicReader::stop_block(std::size_t number, std::vector<Event>& events) {
  blocks_[number].stopped = true;
  send_signature(blocks_[number], events);
  if (number + 1 == blocks_.size()) settle_last(false, events);
  events.push_back(turn::Close{number});
}

void AnthropicReader::send_signature(Block& block, std::vector<Event>& events) {
  if (!block.signature.empty()) events.push_back(turn::Signature{std::exchange(block.signature, {}), true});
}

// Sends what waits in the last block: a signature, or the arguments of a call that came without a delta. A call without arguments certainly has
// none once the message went on after it. Otherwise it may have been cut off.
void AnthropicReader::settle_last(bool went_on, std::vector<Event>& events) {
  if (blocks_.empty()) return;
  Block& block = blocks_.back();
  send_signature(block, events);
  if (block.type != BlockType::call || block.argued) return;
  if (block.input.empty() && went_on && block.stopped && block.named) block.input = "{}";
  if (block.input.empty()) return;
  block.argued = true;
  events.push_back(turn::CallPiece{block.call, block.rank, {}, {}, std::exchange(block.input, {})});
}

// Takes a stop_reason. The last one counts, and null withdraws it.
void AnthropicReader::take_reason(const Json& reason) {
  if (reason.is(JsonKind::string)) stop_reason_ = reason.text();
  if (reason.is(JsonKind::null)) stop_reason_.reset();
}

void AnthropicReader::end(std::vector<Event>& events) {
  settle_last(false, events);
  events.push_back(usage_.usage());
  if (stop_reason_) events.push_back(finish_of("anthropic.messages", *stop_reason_));
  events.push_back(turn::Done{});
}

}  // namespace splitproof::proxy::dialect
