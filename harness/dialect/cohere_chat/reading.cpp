#include "harness/dialect/cohere_chat/reading.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "harness/dialect/error_words.hpp"
#include "harness/dialect/json_events.hpp"
#include "harness/dialect/usage_counts.hpp"
#include "harness/observe/finish_words.hpp"
#include "harness/observe/unread.hpp"

namespace splitproof::dialect {
namespace {

using Kind = observe::WireJson::Kind;
using observe::PartKind;

constexpr std::string_view kCohere = "cohere.chat";

// Members that are read here, and the prompt of an event for debugging.
constexpr auto kCohereEvent =
    std::to_array<std::string_view>({"type", "id", "index", "delta", "error", "message", "prompt"});
constexpr auto kCohereDelta = std::to_array<std::string_view>({"message", "finish_reason", "usage", "error"});
constexpr auto kCohereMessage =
    std::to_array<std::string_view>({"role", "content", "tool_plan", "tool_calls", "citations"});
constexpr auto kCohereContent = std::to_array<std::string_view>({"type", "text", "thinking"});
constexpr auto kCohereCall = std::to_array<std::string_view>({"id", "type", "function"});
constexpr auto kCohereFunction = std::to_array<std::string_view>({"name", "arguments"});

/// True if the type is in the API reference. `debug` holds nothing of the answer.
bool is_documented(std::string_view type) {
  constexpr auto kTypes = std::to_array<std::string_view>(
      {"message-start", "content-start", "content-delta", "content-end", "tool-plan-delta", "tool-call-start",
       "tool-call-delta", "tool-call-end", "citation-start", "citation-end", "message-end", "debug"});
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

const observe::WireJson& message_of(const observe::WireJson& event) {
  return event.at("delta").at("message");
}

}  // namespace

void CohereReading::take(const observe::SseEvent& event) {
  if (answer_.done) return;
  const JsonEvent read = read_json_event(event, kMaxCohereEvent);
  if (read.kind == JsonEvent::Kind::nothing || read.kind == JsonEvent::Kind::done) return;
  const std::string_view type = read.json.at("type").string();
  if (answer_.error) {
    answer_.done = type == "message-end";
    return;
  }
  if (read.kind == JsonEvent::Kind::unreadable) return fail(read.fault);
  take_event(read.json, event.event == "error" ? "error" : type);
}

void CohereReading::take_plain_body(std::string_view body) {
  if (answer_.done || answer_.error) return;
  const auto document = read_document(body, kMaxCohereEvent);
  if (document && document->at("type").absent()) take_event(*document, "");
}

void CohereReading::take_event(const observe::WireJson& event, std::string_view type) {
  const observe::WireJson& error = event.at("error");
  if (type == "error" ||
      (type.empty() && (observe::has_value(error) || event.at("message").is(Kind::string)))) {
    const observe::WireJson& told = observe::has_value(error) ? error : event;
    answer_.error_classes = classes_of_error(told);
    return fail(reported_message(told));
  }
  if (type.empty()) return;
  note_unread(event);
  if (!is_documented(type)) return note("unknown_keys");
  if (type == "message-start") return start_message(event);
  if (type == "debug") return;
  if (!started_) note("no_start");
  if (type == "content-start") return start_content(event);
  if (type == "content-delta") return take_content(event, message_of(event).at("content"));
  if (type == "content-end") return end_content(event);
  if (type == "tool-plan-delta") {
    const std::string_view piece = message_of(event).at("tool_plan").string();
    if (!piece.empty()) note("tool_plan");
    return say(plan_, PartKind::thinking, piece);
  }
  if (type == "tool-call-start") return start_call(event);
  if (type == "tool-call-delta") return take_arguments(event);
  if (type == "citation-start") {
    const observe::WireJson& citation = message_of(event).at("citations");
    if (!observe::has_value(citation)) return;
    note("citations");
    citations_ += (citations_.empty() ? "" : ",") + observe::compact(citation);
  }
  if (type == "message-end") end_message(event.at("delta"));
}

/// Notes what no reader knows. An event of an unknown type is noted by its delta.
void CohereReading::note_unread(const observe::WireJson& event) {
  const std::string_view type = event.at("type").string();
  observe::note_unread_of("event", event, kCohereEvent, {}, answer_);
  const observe::WireJson& delta = event.at("delta");
  if (!is_documented(type)) {
    if (observe::has_value(delta)) observe::note_unread("event", delta, {}, answer_);
    return;
  }
  const observe::WireJson& message = delta.at("message");
  observe::note_unread_of("delta", delta, kCohereDelta, {}, answer_);
  // The lists of message-start are empty; content in them would be lost.
  const auto known = std::span(kCohereMessage).first(type == "message-start" ? 1 : kCohereMessage.size());
  observe::note_unread_of("message", message, known, {}, answer_);
  if (type == "content-start" || type == "content-delta")
    observe::note_unread_of("content", message.at("content"), kCohereContent, {}, answer_);
  const observe::WireJson& call = message.at("tool_calls");
  observe::note_unread_of("call", call, kCohereCall, {}, answer_);
  observe::note_unread_of("function", call.at("function"), kCohereFunction, {}, answer_);
  if (type != "message-start" && call.is(Kind::array)) observe::note_unread("message", call, {}, answer_);
}

void CohereReading::start_message(const observe::WireJson& event) {
  const std::string id = observe::replace_surrogates(event.at("id").string());
  const bool again = std::exchange(started_, true);
  if (again && !id.empty() && !id_.empty() && id != id_)
    return fail("another message begins before this one ends");
  if (!again) id_ = id;
}

void CohereReading::start_content(const observe::WireJson& event) {
  if (++blocks_ > kMaxCohereBlocks) return fail("more blocks than can be read");
  const std::uint64_t index = integer(event.at("index")).value_or(blocks_ - 1);
  const auto before = content_.find(index);
  if (before != content_.end()) close(before->second);
  const observe::WireJson& content = message_of(event).at("content");
  content_[index] = {
      content.at("type").string() == "thinking" ? PartKind::thinking : PartKind::text, {}, {}, {}};
  last_content_ = index;
  take_content(event, content);
}

void CohereReading::take_content(const observe::WireJson& event, const observe::WireJson& content) {
  const std::string_view thinking = content.at("thinking").string();
  const std::string_view text = content.at("text").string();
  if (thinking.empty() && text.empty()) return;
  Block& block = block_of(event);
  if (answer_.error) return;
  say(block, PartKind::thinking, thinking);
  say(block, PartKind::text, text);
}

CohereReading::Block& CohereReading::block_of(const observe::WireJson& event) {
  const std::uint64_t index = integer(event.at("index")).value_or(last_content_);
  const auto [found, is_new] = content_.try_emplace(index);
  if (is_new) {
    last_content_ = index;
    if (++blocks_ > kMaxCohereBlocks) fail("more blocks than can be read");
  }
  return found->second;
}

void CohereReading::end_content(const observe::WireJson& event) {
  const auto found = content_.find(integer(event.at("index")).value_or(last_content_));
  if (found == content_.end()) return;
  close(found->second);
  content_.erase(found);
}

void CohereReading::say(Block& block, PartKind kind, std::string_view piece) {
  if (piece.empty()) return;
  if (!std::exchange(begun_, true)) answer_.begins_with_text = kind == PartKind::text;
  if (call_waits_) note("prose_meanwhile");
  if (kind == PartKind::thinking) note("thinking");
  if (block.kind != kind) {
    close(block);
    block = {kind, {}, {}, {}};
  }
  const std::string said = block.pieces.join(piece);
  if (said.empty()) return;
  if (!block.place) {
    block.place = answer_.parts.size();
    answer_.parts.emplace_back().kind = kind;
  }
  if (*block.place + 1 != answer_.parts.size()) note("interleaved_blocks");
  answer_.parts[*block.place].text += said;
}

/// Ends the pieces of a block. Half a character becomes U+FFFD.
void CohereReading::close(Block& block) {
  const std::string rest = block.pieces.close();
  if (block.kind == PartKind::call) {
    arguments_of(block) += rest;
    return;
  }
  if (rest.empty()) return;
  if (!block.place) {
    block.place = answer_.parts.size();
    answer_.parts.emplace_back().kind = block.kind;
  }
  answer_.parts[*block.place].text += rest;
}

void CohereReading::start_call(const observe::WireJson& event) {
  const observe::WireJson& call = message_of(event).at("tool_calls");
  if (!call.is(Kind::object)) return;
  if (calls_.size() == kMaxCohereBlocks) return fail("more calls than can be read");
  const observe::WireJson& function = call.at("function");
  const std::size_t number = calls_.size();
  Block& block = calls_.emplace_back();
  block.kind = PartKind::call;
  observe::Part& part = block.waiting;
  part.kind = PartKind::call;
  part.id = observe::replace_surrogates(call.at("id").string());
  part.name = observe::replace_surrogates(function.at("name").string());
  part.rank = integer(event.at("index")).value_or(number);
  by_number_[part.rank] = number;
  note("tools");
  if (number > 0) note("parallel_tools");
  if (part.id.empty()) note("id_never");
  if (part.name.empty()) note("name_never");
  begun_ = true;
  if (part.id.empty() || part.name.empty()) {
    call_waits_ = true;
  } else {
    block.place = answer_.parts.size();
    answer_.parts.push_back(std::move(part));
    block.waiting = {};
  }
  arguments_of(block) += block.pieces.join(function.at("arguments").string());
}

void CohereReading::take_arguments(const observe::WireJson& event) {
  const std::string_view piece = message_of(event).at("tool_calls").at("function").at("arguments").string();
  if (piece.empty()) return;
  const auto index = integer(event.at("index"));
  const auto found = index ? by_number_.find(*index) : by_number_.end();
  if (calls_.empty() || (index && found == by_number_.end())) {
    return fail("arguments come for call " +
                (index ? std::to_string(*index) : std::string("without an index")) + ", which never began");
  }
  Block& call = index ? calls_[found->second] : calls_.back();
  if (&call != &calls_.back() || (call.place && *call.place + 1 != answer_.parts.size()))
    note("interleaved_blocks");
  arguments_of(call) += call.pieces.join(piece);
}

std::string& CohereReading::arguments_of(Block& call) {
  return (call.place ? answer_.parts[*call.place] : call.waiting).arguments;
}

void CohereReading::end_message(const observe::WireJson& delta) {
  if (const std::string_view reason = delta.at("finish_reason").string(); !reason.empty())
    answer_.finish = observe::read_finish(kCohere, observe::replace_surrogates(reason));
  const observe::WireJson& usage = delta.at("usage");
  UsageCounts counts(kCohere, true);
  counts.take(usage);
  answer_.usage = counts.tokens();
  if (const std::string others = unread_usage(kCohere, usage); !others.empty())
    answer_.extra["usage"] = others;
  answer_.done = true;
  const observe::WireJson& error = delta.at("error");
  if (observe::has_value(error)) fail(reported_message(error));
}

void CohereReading::fail(std::string reason) {
  answer_.error = std::move(reason);
  note("error");
}

observe::Answer CohereReading::finished() const {
  CohereReading last = *this;
  last.close(last.plan_);
  for (auto& [index, block] : last.content_) last.close(block);
  for (Block& call : last.calls_) last.close(call);
  observe::Answer& answer = last.answer_;
  if (!last.citations_.empty()) answer.extra["the citations"] = "[" + last.citations_ + "]";

  // Calls got their places in the order of their starts.
  std::vector<std::size_t> waiting;
  for (std::size_t number = 0; number < last.calls_.size(); ++number)
    (last.calls_[number].place ? answer.begun : waiting).push_back(number);
  std::stable_sort(waiting.begin(), waiting.end(), [&](std::size_t a, std::size_t b) {
    return last.calls_[a].waiting.rank < last.calls_[b].waiting.rank;
  });
  for (const std::size_t number : waiting) {
    observe::Part& call = last.calls_[number].waiting;
    if (call.id.empty() && call.name.empty() && call.arguments.empty()) continue;
    answer.begun.push_back(number);
    answer.parts.push_back(std::move(call));
  }
  return std::move(answer);
}

}  // namespace splitproof::dialect
