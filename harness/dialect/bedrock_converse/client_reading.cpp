#include "harness/dialect/bedrock_converse/client_reading.hpp"

#include <utility>

#include "harness/aws_document.hpp"
#include "harness/dialect/error_words.hpp"
#include "harness/dialect/json_events.hpp"
#include "harness/observe/finish_words.hpp"
#include "harness/observe/surrogates.hpp"

namespace splitproof::dialect {
namespace {

using observe::Part;
using observe::PartKind;
using observe::WireJson;
using Kind = WireJson::Kind;

std::string whole(std::string text) {
  return observe::replace_surrogates(observe::join_surrogates(std::move(text)));
}

}  // namespace

std::string document_of(const observe::SseEvent& frame) { return aws_document(frame.headers, frame.data); }

void ConverseClientReading::take(std::string_view document) {
  const auto event = observe::parse_wire_json(document);
  if (!event || !event->is(Kind::object) || error_) return;
  const std::string_view message = event->at(":message-type").string();
  if (message == "exception" || message == "error") {
    const std::string code(event->at(message == "error" ? ":error-code" : ":exception-type").string());
    const std::string_view said = event->at(message == "error" ? ":error-message" : "message").string();
    error_ = said.empty() ? code : observe::replace_surrogates(said);
    error_classes_ = classes_of_error({code});
    return;
  }
  const std::string_view type = event->at(":event-type").string();
  const std::uint64_t index = integer(event->at("contentBlockIndex")).value_or(0);
  if (type == "contentBlockStart" && event->at("start").at("toolUse").is(Kind::object)) {
    const WireJson& call = event->at("start").at("toolUse");
    Part& part = begin(index, PartKind::call);
    part.id = observe::replace_surrogates(call.at("toolUseId").string());
    part.name = observe::replace_surrogates(call.at("name").string());
    part.rank = told_.calls++;
  } else if (type == "contentBlockDelta") {
    take_delta(index, event->at("delta"));
  } else if (type == "contentBlockStop") {
    if (const auto known = latest_.find(index); known != latest_.end())
      blocks_[known->second].part.ended = true;
  } else if (type == "messageStop") {
    const std::string_view word = event->at("stopReason").string();
    if (!word.empty()) finish_ = observe::read_finish("aws", observe::replace_surrogates(word));
  } else if (type == "metadata") {
    take_usage(event->at("usage"));
  }
}

void ConverseClientReading::take_delta(std::uint64_t index, const WireJson& delta) {
  const WireJson& thought = delta.at("reasoningContent");
  const auto add = [&](const WireJson& piece, PartKind kind) {
    if (piece.string().empty()) return;
    told_.prose += piece.string().size();
    Part* part = open(index, kind);
    (part != nullptr ? *part : begin(index, kind)).text += piece.string();
  };
  add(delta.at("text"), PartKind::text);
  add(thought.at("text"), PartKind::thinking);
  if (const std::string_view signature = thought.at("signature").string(); !signature.empty()) {
    Part* part = open(index, PartKind::thinking);
    (part != nullptr ? *part : begin(index, PartKind::thinking)).signature +=
        observe::replace_surrogates(signature);
  }
  if (const std::string_view sealed = thought.at("redactedContent").string(); !sealed.empty()) {
    Part* part = open(index, PartKind::other);
    (part != nullptr ? *part : begin(index, PartKind::other)).text += sealed;
  }
  const std::string_view input = delta.at("toolUse").at("input").string();
  Part* call = open(index, PartKind::call);
  if (call == nullptr || input.empty()) return;
  told_.arguments += input.size();
  call->arguments += input;
}

// Returns the index's latest block if it has this kind, or null.
Part* ConverseClientReading::open(std::uint64_t index, PartKind kind) {
  const auto known = latest_.find(index);
  if (known == latest_.end() || blocks_[known->second].part.kind != kind) return nullptr;
  return &blocks_[known->second].part;
}

Part& ConverseClientReading::begin(std::uint64_t index, PartKind kind) {
  latest_[index] = blocks_.size();
  ConverseBlock& block = blocks_.emplace_back();
  block.index = index;
  block.part.kind = kind;
  block.part.ended = false;
  return block.part;
}

// `inputTokens` excludes what a cache holds.
void ConverseClientReading::take_usage(const WireJson& usage) {
  const auto input = integer(usage.at("inputTokens"));
  usage_.cached = integer(usage.at("cacheReadInputTokens"));
  usage_.written = integer(usage.at("cacheWriteInputTokens"));
  usage_.completion = integer(usage.at("outputTokens"));
  usage_.total = integer(usage.at("totalTokens"));
  if (input) usage_.prompt = *input + usage_.cached.value_or(0) + usage_.written.value_or(0);
}

std::vector<ConverseBlock> ConverseClientReading::blocks() const {
  std::vector<ConverseBlock> blocks = blocks_;
  for (ConverseBlock& block : blocks) {
    block.part.text = whole(std::move(block.part.text));
    block.part.arguments = whole(std::move(block.part.arguments));
  }
  return blocks;
}

observe::Answer ConverseClientReading::answer() const {
  observe::Answer answer;
  for (ConverseBlock& block : blocks())
    if (block.part.kind != PartKind::other) answer.parts.push_back(std::move(block.part));
  answer.begins_with_text = !answer.parts.empty() && answer.parts.front().kind == PartKind::text;
  answer.finish = finish_;
  answer.error = error_;
  answer.error_classes = error_classes_;
  answer.usage = usage_;
  return answer;
}

}  // namespace splitproof::dialect
