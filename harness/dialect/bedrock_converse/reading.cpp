#include "harness/dialect/bedrock_converse/reading.hpp"

#include <array>
#include <utility>

#include "harness/dialect/aws_events.hpp"
#include "harness/dialect/json_events.hpp"
#include "harness/dialect/usage_counts.hpp"
#include "harness/observe/unread.hpp"

namespace splitproof::dialect {
namespace {

using Kind = observe::WireJson::Kind;
using observe::PartKind;

// Members that are read here, and metadata of the service. `p` is padding.
constexpr auto kConverseEvent = std::to_array<std::string_view>(
    {"contentBlockIndex", "start", "delta", "role", "stopReason", "usage", "metrics", "p"});
constexpr auto kConverseStart = std::to_array<std::string_view>({"toolUse"});
constexpr auto kConverseCall = std::to_array<std::string_view>({"toolUseId", "name", "type"});
constexpr auto kConverseDelta = std::to_array<std::string_view>({"text", "reasoningContent", "toolUse"});
constexpr auto kConverseThought = std::to_array<std::string_view>({"text", "signature"});
constexpr auto kConverseInput = std::to_array<std::string_view>({"input"});

}  // namespace

void ConverseReading::take(const observe::SseEvent& frame) {
  if (answer_.error) return;
  if (!frame.terminated) {
    torn_ = true;
    return;
  }
  if (take_failure(frame, answer_)) return;
  ++sound_;
  const std::string_view type = frame.event ? std::string_view(*frame.event) : "";
  ReadJson read = read_json(frame, kMaxConversePayload);
  if (read) note_unread(*read);
  const bool is_start = type == "contentBlockStart";
  const bool is_delta = type == "contentBlockDelta";
  if (!is_start && !is_delta && type != "messageStop" && type != "metadata") return;
  if (!read || !read->is(Kind::object)) {
    answer_.error = "the payload of the frame at byte " + std::to_string(frame.begin) +
                    " cannot be read: " + why_unread(read);
    return;
  }
  if (is_start) return take_start(*read);
  if (is_delta) return take_delta(*read);
  if (type == "metadata") return take_usage(read->at("usage"));
  if (const std::string_view reason = read->at("stopReason").string(); !reason.empty())
    take_finish(reason, answer_);
}

void ConverseReading::note_unread(const observe::WireJson& event) {
  const observe::WireJson& start = event.at("start");
  const observe::WireJson& delta = event.at("delta");
  observe::note_unread_of("event", event, kConverseEvent, {}, answer_);
  observe::note_unread_of("start", start, kConverseStart, {}, answer_);
  observe::note_unread_of("call", start.at("toolUse"), kConverseCall, {}, answer_);
  observe::note_unread_of("delta", delta, kConverseDelta, {}, answer_);
  observe::note_unread_of("reasoning", delta.at("reasoningContent"), kConverseThought, {}, answer_);
  observe::note_unread_of("input", delta.at("toolUse"), kConverseInput, {}, answer_);
}

void ConverseReading::take_plain_body(std::string_view body) {
  if (sound_ == 0) take_document(body, answer_);
}

void ConverseReading::take_start(const observe::WireJson& event) {
  const observe::WireJson& tool = event.at("start").at("toolUse");
  if (!tool.is(Kind::object)) return;
  if (calls_ == kMaxConverseBlocks) {
    answer_.error = "more calls than can be read";
    return;
  }
  observe::Part call;
  call.kind = PartKind::call;
  call.id = observe::replace_surrogates(tool.at("toolUseId").string());
  call.name = observe::replace_surrogates(tool.at("name").string());
  call.rank = calls_++;
  answer_.begun.push_back(call.rank);
  blocks_[integer(event.at("contentBlockIndex")).value_or(0)] = {PartKind::call, answer_.parts.size(), {}};
  answer_.parts.push_back(std::move(call));
}

void ConverseReading::take_delta(const observe::WireJson& event) {
  const std::uint64_t index = integer(event.at("contentBlockIndex")).value_or(0);
  const observe::WireJson& delta = event.at("delta");
  const observe::WireJson& thought = delta.at("reasoningContent");
  if (const std::string_view piece = delta.at("text").string(); !piece.empty())
    add_to(index, PartKind::text, piece);
  if (const std::string_view piece = thought.at("text").string(); !piece.empty())
    add_to(index, PartKind::thinking, piece);
  if (const std::string_view signature = thought.at("signature").string(); !signature.empty())
    add_to(index, PartKind::thinking, "").signature = observe::replace_surrogates(signature);
  const std::string_view input = delta.at("toolUse").at("input").string();
  if (input.empty()) return;
  const auto call = blocks_.find(index);
  if (call == blocks_.end() || call->second.kind != PartKind::call) {
    answer_.error = "a piece of a call comes in block " + std::to_string(index) + ", where no call began";
    return;
  }
  answer_.parts[call->second.part].arguments += call->second.pieces.join(input);
}

observe::Part& ConverseReading::add_to(std::uint64_t index, PartKind kind, std::string_view piece) {
  const auto [found, is_new] = blocks_.try_emplace(index);
  Block& block = found->second;
  if (is_new || block.kind != kind) {
    if (!is_new && block.kind == PartKind::call) answer_.parts[block.part].arguments += block.pieces.close();
    if (!is_new && block.kind != PartKind::call) answer_.parts[block.part].text += block.pieces.close();
    if (answer_.parts.empty()) answer_.begins_with_text = kind == PartKind::text;
    block = {kind, answer_.parts.size(), {}};
    answer_.parts.emplace_back().kind = kind;
  }
  observe::Part& part = answer_.parts[block.part];
  part.text += block.pieces.join(piece);
  return part;
}

void ConverseReading::take_usage(const observe::WireJson& usage) {
  UsageCounts counts("bedrock.converse", true);
  counts.take(usage);
  answer_.usage = counts.tokens();
}

observe::Answer ConverseReading::finished() const {
  ConverseReading last = *this;
  for (auto& [index, block] : last.blocks_) {
    observe::Part& part = last.answer_.parts[block.part];
    (block.kind == PartKind::call ? part.arguments : part.text) += block.pieces.close();
  }
  if (torn_) last.answer_.finish.reset();
  if (last.answer_.error) last.answer_.shapes.emplace(kFailedAnswer);
  return std::move(last.answer_);
}

}  // namespace splitproof::dialect
