#include "proxy/dialect/anthropic_messages/told_calls.hpp"

#include <string_view>
#include <utility>

#include "proxy/dialect/anthropic_messages/tool_places.hpp"
#include "proxy/dialect/anthropic_messages/writer.hpp"
#include "proxy/names/arguments.hpp"
#include "proxy/names/in_place.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::proxy::dialect {
namespace {

using wire::Json;
using wire::JsonKind;

constexpr std::string_view kNoArguments = "{}";

// Returns the call that a block begins. Empty arguments are added by later deltas.
names::ToolPlaces started_call(const Json& event) {
  const Json block = event["content_block"];
  names::ToolPlaces places;
  if (block["type"].text() == "tool_use" && block["name"].is(JsonKind::string))
    places.called.push_back({block["name"], block["input"].empty() ? Json() : block["input"]});
  return places;
}

// Returns the calls of a message that an earlier response began.
names::ToolPlaces resumed_calls(const Json& event) { return messages_answer_tools(event["message"]); }

void append_delta(std::uint64_t index, std::string arguments, std::string& out) {
  AnthropicWriter(request::Reply{}, ContentFilter::refusal)
      .write(turn::AppendBlock{static_cast<std::size_t>(index), turn::BlockKind::call, std::move(arguments)},
             out);
}

}  // namespace

Retold ToldCalls::take(const wire::Frame& frame) {
  const wire::JsonDocument document(frame.data, limits_.json_depth);
  const Json event = document.root();
  const std::string type = event["type"].text();
  if (type == "message_start") return resume(frame.data);
  if (type == "content_block_start") return start(event, frame.data);
  if (type == "content_block_delta") return add(event);
  Retold retold;
  if (type == "content_block_stop") {
    const auto index = event["index"].count();
    if (const auto call = index ? calls_.find(*index) : calls_.end(); call != calls_.end())
      stop(call, retold.before);
  } else if (type == "error" || frame.event == "error") {
    release(retold.before);
  }
  return retold;
}

void ToldCalls::release(std::string& out) {
  for (const auto& [index, call] : calls_) {
    if (!call.held.empty()) append_delta(index, wire::whole(call.held), out);
  }
  calls_.clear();
  waiting_ = 0;
}

Retold ToldCalls::resume(const std::string& data) const {
  std::string told = names::tell_in_place(map_, resumed_calls, data, limits_.json_depth);
  if (told == data) return {};
  return {.data = std::move(told)};
}

Retold ToldCalls::start(const Json& event, const std::string& data) {
  const names::ToolPlaces called = started_call(event);
  const names::MappedTool* tool =
      called.called.empty() ? nullptr : names::by_upstream_name(map_, called.called.front().name.text());
  if (tool == nullptr) return {};
  if (const auto index = event["index"].count(); index && tool->changes_arguments())
    calls_[*index] = Call{*tool, {}, {}, bool(called.called.front().arguments)};
  return {.data = names::tell_in_place(map_, started_call, data, limits_.json_depth)};
}

Retold ToldCalls::add(const Json& event) {
  const auto index = event["index"].count();
  const auto found = index ? calls_.find(*index) : calls_.end();
  const Json delta = event["delta"];
  if (found == calls_.end() || delta["type"].text() != "input_json_delta") return {};
  Call& call = found->second;
  const std::string piece = delta["partial_json"].text();
  call.argued = call.argued || !piece.empty();
  call.held += piece;
  call.progress.feed(piece);
  waiting_ += piece.size();
  Retold retold{.leaves = false};
  if (call.progress.complete() || call.progress.lost()) {
    append_delta(*index, told(call), retold.before);
    waiting_ -= call.held.size();
    calls_.erase(found);
  } else if (waiting_ > limits_.call_bytes) {
    release(retold.before);
  }
  return retold;
}

// Ends a call. Without any arguments the client gets an empty object.
void ToldCalls::stop(Calls::iterator found, std::string& out) {
  Call& call = found->second;
  waiting_ -= call.held.size();
  if (!call.argued) call.held = kNoArguments;
  std::string arguments = told(call);
  if (!arguments.empty() && arguments != kNoArguments) append_delta(found->first, std::move(arguments), out);
  calls_.erase(found);
}

// Anything but a JSON object stays unchanged.
std::string ToldCalls::told(const Call& call) const {
  return names::told_arguments(call.tool, names::Towards::client, wire::whole(call.held), limits_.json_depth);
}

}  // namespace splitproof::proxy::dialect
