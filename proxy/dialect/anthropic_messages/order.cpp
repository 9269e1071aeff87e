#include "proxy/dialect/anthropic_messages/order.hpp"

#include <utility>

#include "proxy/dialect/anthropic_messages/errors.hpp"
#include "proxy/dialect/anthropic_messages/writer.hpp"
#include "proxy/dialect/stream_frame.hpp"

namespace splitproof::proxy::dialect {

using wire::Json;
using wire::JsonKind;

Ruling AnthropicOrder::take(const wire::Frame& frame) {
  const StreamFrame read(frame, rules_.limits);
  switch (read.kind()) {
    case StreamFrame::Kind::nothing:
    case StreamFrame::Kind::done:
      return {.passes = frame.terminated && !frame.bare};
    case StreamFrame::Kind::torn:
      return {.passes = false};
    case StreamFrame::Kind::unreadable:
      return failing("an event of the upstream " + read.problem());
    case StreamFrame::Kind::bare:
      if (!read.object()["error"]) return {.passes = false};
      return {.passes = false, .failure = messages_failure(read.object())};
    case StreamFrame::Kind::object:
      break;
  }
  return take_event(read.object(), frame.event);
}

Ruling AnthropicOrder::take_event(const Json& event, const std::string& name) {
  const std::string type = event["type"].text();
  if (name == "error" || type == "error" || (type.empty() && event["error"].is(JsonKind::object))) {
    if (name == "error" && is_messages_error(event)) return {.last = true};
    return {.passes = false, .failure = messages_failure(event)};
  }
  const bool named = !name.empty() && name != "message" && !type.empty();
  if (named && name != type) return failing("an event of the upstream has the name of another");
  if (const std::string problem = problem_of(type, event); !problem.empty())
    return failing("an event of the upstream " + problem);
  return {.last = type == "message_stop"};
}

// Returns why an event must not occur here, to follow "an event of the upstream "; empty if it may.
std::string AnthropicOrder::problem_of(const std::string& type, const Json& event) {
  if (type == "message_start") {
    if (std::exchange(started_, true)) return "starts the message again";
    if (event["message"]["content"].first()) next_.reset();
    return "";
  }
  const bool starts = type == "content_block_start";
  const bool adds = type == "content_block_delta";
  const bool stops = type == "content_block_stop";
  const bool ends = type == "message_stop";
  if (!starts && !adds && !stops && !ends && type != "message_delta") return "";
  if (!started_) return "comes before message_start";
  if (starts) return start_block(event);
  if (adds || stops) {
    const auto index = event["index"].count();
    const auto block = index ? open_.find(*index) : open_.end();
    if (block == open_.end()) return "is of a block that is not open";
    if (stops) {
      open_.erase(block);
      return "";
    }
    block->second.empty = block->second.empty && event["delta"]["text"].text().empty();
    return delta_problem(event["delta"], block->second.holds);
  }
  if (!open_.empty()) return "comes while a block is open";
  finished_ = finished_ || event["delta"]["stop_reason"].is(JsonKind::string);
  if (ends && !finished_ && rules_.done_without_finish == turn::DoneWithoutFinish::error)
    return "ends the message without saying why it stopped";
  return "";
}

std::string AnthropicOrder::start_block(const Json& event) {
  const auto index = event["index"].count();
  if (!open_.empty() && knobs_.overlap == Overlap::sequential) return "starts a block while another is open";
  if (open_.size() == rules_.limits.parts) return "is of more than one message may hold";
  const bool in_turn = index && (knobs_.block_index == BlockIndex::counted ? *index == next_.value_or(*index)
                                                                           : *index >= next_.value_or(0));
  if (!in_turn) return "starts a block out of turn";
  const std::string type = event["content_block"]["type"].text();
  next_ = *index + 1;
  const Holds holds = type == "text"               ? Holds::text
                      : type == "thinking"         ? Holds::thinking
                      : type == "compaction"       ? Holds::compaction
                      : type.ends_with("tool_use") ? Holds::call
                                                   : Holds::other;
  open_[*index] = {holds, holds == Holds::text && event["content_block"]["text"].text().empty()};
  return "";
}

std::string AnthropicOrder::delta_problem(const Json& delta, Holds holds) {
  const std::string type = delta["type"].text();
  const Holds fit = type == "text_delta" || type == "citations_delta"       ? Holds::text
                    : type == "thinking_delta" || type == "signature_delta" ? Holds::thinking
                    : type == "input_json_delta"                            ? Holds::call
                    : type == "compaction_delta"                            ? Holds::compaction
                                                                            : Holds::other;
  if (fit == Holds::other || holds == Holds::other || fit == holds) return "";
  return "brings what a block of its type does not hold";
}

Ruling AnthropicOrder::end(turn::BodyEnd end, std::string& /*out*/) const {
  return {.failure = turn::broken_off(end, rules_)};
}

void AnthropicOrder::fail(const turn::Failure& failure, std::string& out) const {
  AnthropicWriter writer(request::Reply{}, ContentFilter::refusal);
  for (const auto& [index, block] : open_) {
    // Clients would send an empty text back with the next request, and the provider would refuse it.
    if (!block.empty) writer.write(turn::CloseBlock{static_cast<std::size_t>(index)}, out);
  }
  writer.write(turn::FailMessage{failure.kind, failure.message, failure.code}, out);
}

}  // namespace splitproof::proxy::dialect
