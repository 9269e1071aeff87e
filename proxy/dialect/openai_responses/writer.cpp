#include "proxy/dialect/openai_responses/writer.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "proxy/dialect/openai_error.hpp"
#include "proxy/dialect/openai_responses/echo.hpp"
#include "proxy/wire/json_text.hpp"
#include "proxy/wire/keep_alive.hpp"

namespace splitproof::proxy::dialect {
namespace {

using turn::BlockKind;
using wire::quoted;

// Returns the text between the quotes.
std::string escaped(std::string_view text) {
  const std::string json = quoted(text);
  return json.substr(1, json.size() - 2);
}

std::string string_of(std::string_view escaped_text) { return "\"" + std::string(escaped_text) + "\""; }

// Returns the part of a message, or the summary of reasoning.
std::string part_json(BlockKind kind, std::string_view text) {
  switch (kind) {
    case BlockKind::thinking:
      return R"({"type":"summary_text","text":)" + string_of(text) + "}";
    case BlockKind::refusal:
      return R"({"type":"refusal","refusal":)" + string_of(text) + "}";
    default:
      return R"({"type":"output_text","text":)" + string_of(text) + R"(,"annotations":[],"logprobs":[]})";
  }
}

// Names of the events and members of one kind of item.
struct Words {
  std::string_view prefix;  // of its id
  std::string_view pieces;  // its delta events, without `.delta` and `.done`
  std::string_view whole;   // the member of `.done` with the whole text
  std::string_view part;    // events of its part, without `.added` and `.done`; empty: no parts
  std::string_view place;   // the member with the part's number
};

const Words& words_of(BlockKind kind, bool custom) {
  static constexpr Words kText = {"msg_", "response.output_text", "text", "response.content_part",
                                  ",\"content_index\":0"};
  static constexpr Words kRefusal = {"msg_", "response.refusal", "refusal", "response.content_part",
                                     ",\"content_index\":0"};
  static constexpr Words kThinking = {"rs_", "response.reasoning_summary_text", "text",
                                      "response.reasoning_summary_part", ",\"summary_index\":0"};
  static constexpr Words kFunction = {"fc_", "response.function_call_arguments", "arguments", "", ""};
  static constexpr Words kCustom = {"ctc_", "response.custom_tool_call_input", "input", "", ""};
  switch (kind) {
    case BlockKind::thinking:
      return kThinking;
    case BlockKind::refusal:
      return kRefusal;
    case BlockKind::call:
      return custom ? kCustom : kFunction;
    case BlockKind::text:
      break;
  }
  return kText;
}

std::string event_name(std::string_view stem, std::string_view suffix) {
  return std::string(stem).append(suffix);
}

std::string usage_json(const turn::Usage& usage) {
  if (!usage.prompt && !usage.completion) return "null";
  const std::uint64_t input = usage.prompt.value_or(0);
  const std::uint64_t output = usage.completion.value_or(0);
  const std::uint64_t cached = std::min(usage.cached.value_or(0), input);
  std::string details = "\"cached_tokens\":" + std::to_string(cached);
  if (usage.written.value_or(0) > 0)
    details += ",\"cache_write_tokens\":" + std::to_string(std::min(*usage.written, input - cached));
  return "{\"input_tokens\":" + std::to_string(input) + ",\"input_tokens_details\":{" + details +
         "},\"output_tokens\":" + std::to_string(output) +
         ",\"output_tokens_details\":{\"reasoning_tokens\":" +
         std::to_string(std::min(usage.reasoning.value_or(0), output)) +
         "},\"total_tokens\":" + std::to_string(input + output) + "}";
}

}  // namespace

std::string responses_error_json(const turn::FailMessage& failure) {
  return "{\"code\":" + quoted(openai_error_code(failure.kind, failure.code)) +
         ",\"message\":" + quoted(failure.message) + "}";
}

ResponsesWriter::ResponsesWriter(request::Reply reply) : reply_(std::move(reply)), now_(reply_.created) {
  if (reply_.echo.empty()) reply_.echo = responses_echo({}, 0);
}

void ResponsesWriter::write(const turn::Step& step, std::string& out) {
  std::visit([&](const auto& taken) { put(taken, out); }, step);
}

void ResponsesWriter::write_ping(std::string& out) const { out += wire::kKeepAlive; }

void ResponsesWriter::put(const turn::StartMessage& step, std::string& out) {
  reply_.model = step.model;
  start(out);
}

void ResponsesWriter::start(std::string& out) {
  put_response("created", "null", "", "null", out);
  put_response("in_progress", "null", "", "null", out);
}

void ResponsesWriter::put(const turn::OpenBlock& step, std::string& out) {
  Item& item = items_.emplace_back();
  item.kind = step.kind;
  if (step.kind == BlockKind::call) name_call(step, item);
  put_item("response.output_item.added", step.index, out);
  const Words& words = words_of(item.kind, item.custom);
  if (!words.part.empty())
    put_event(event_name(words.part, ".added"), place(step.index) + ",\"part\":" + part_json(item.kind, ""),
              out);
}

void ResponsesWriter::put(const turn::AppendBlock& step, std::string& out) {
  Item& item = items_[step.index];
  if (!item.custom) return say(step.index, step.text, out);
  std::string text;
  item.input.feed(step.text, text);
  say(step.index, text, out);
}

void ResponsesWriter::put(const turn::SignBlock&, std::string&) {}

// The ledger makes none: clients of this protocol get no sealed thinking.
void ResponsesWriter::put(const turn::SealedBlock&, std::string&) {}

void ResponsesWriter::put(const turn::CloseBlock& step, std::string& out) {
  Item& item = items_[step.index];
  if (step.how == turn::Closing::abandoned) {
    item.status = "incomplete";
    return;
  }
  if (item.custom) {
    std::string text;
    item.input.finish(text);
    say(step.index, text, out);
  }
  if (item.kind == BlockKind::call && !item.custom && item.text.empty() && step.how == turn::Closing::whole)
    say(step.index, "{}", out);
  item.status = step.how == turn::Closing::whole ? "completed" : "incomplete";
  const Words& words = words_of(item.kind, item.custom);
  const std::string logprobs = item.kind == BlockKind::text ? ",\"logprobs\":[]" : "";
  put_event(event_name(words.pieces, ".done"),
            place(step.index) + ",\"" + std::string(words.whole) + "\":" + string_of(item.text) + logprobs,
            out);
  if (!words.part.empty())
    put_event(event_name(words.part, ".done"),
              place(step.index) + ",\"part\":" + part_json(item.kind, item.text), out);
  put_item("response.output_item.done", step.index, out);
}

void ResponsesWriter::put(const turn::FinishMessage& step, std::string& out) {
  const std::string usage = usage_json(step.usage);
  switch (step.reason) {
    case turn::Finish::length:
      return put_response("incomplete", "null", "max_output_tokens", usage, out);
    case turn::Finish::content_filter:
      return put_response("incomplete", "null", "content_filter", usage, out);
    case turn::Finish::stop:
    case turn::Finish::calls:
    case turn::Finish::unknown:  // the ledger has replaced it
      return put_response("completed", "null", "", usage, out);
  }
}

void ResponsesWriter::put(const turn::FailMessage& step, std::string& out) {
  if (events_ == 0) start(out);
  put_response("failed", responses_error_json(step), "", "null", out);
}

// Appends text to an item.
void ResponsesWriter::say(std::size_t index, const std::string& text, std::string& out) {
  if (text.empty()) return;
  Item& item = items_[index];
  const std::string more = escaped(text);
  item.text += more;
  put_event(event_name(words_of(item.kind, item.custom).pieces, ".delta"),
            place(index) + ",\"delta\":" + string_of(more) +
                (item.kind == BlockKind::text ? ",\"logprobs\":[]" : ""),
            out);
}

void ResponsesWriter::put_item(std::string_view type, std::size_t index, std::string& out) {
  put_event(type, ",\"output_index\":" + std::to_string(index) + ",\"item\":" + item_json(index), out);
}

void ResponsesWriter::put_response(std::string_view event, std::string_view error, std::string_view reason,
                                   std::string_view usage, std::string& out) {
  std::string output;
  for (std::size_t index = 0; index < items_.size(); ++index) {
    if (index > 0) output += ",";
    output += item_json(index);
  }
  const std::string_view status = event == "created" ? "in_progress" : event;
  const std::string completed =
      event == "completed" ? std::to_string(std::max(now_, reply_.created)) : "null";
  put_event(event_name("response.", event),
            ",\"response\":{\"id\":\"resp_" + wire::hex(reply_.seed) +
                "\",\"object\":\"response\",\"created_at\":" + std::to_string(reply_.created) +
                ",\"completed_at\":" + completed + ",\"status\":" + string_of(status) +
                ",\"error\":" + std::string(error) + ",\"incomplete_details\":" +
                (reason.empty() ? "null" : "{\"reason\":" + string_of(reason) + "}") +
                ",\"model\":" + quoted(reply_.model) + ",\"output\":[" + output +
                "],\"usage\":" + std::string(usage) + "," + reply_.echo + "}",
            out);
}

void ResponsesWriter::put_event(std::string_view type, std::string_view rest, std::string& out) {
  out.append("event: ").append(type).append("\ndata: {\"type\":\"").append(type);
  out.append("\",\"sequence_number\":").append(std::to_string(events_++)).append(rest).append("}\n\n");
}

// Writes the position: the item and its part.
std::string ResponsesWriter::place(std::size_t index) const {
  const Item& item = items_[index];
  return ",\"item_id\":" + string_of(item_id(index)) + ",\"output_index\":" + std::to_string(index) +
         std::string(words_of(item.kind, item.custom).place);
}

std::vector<ToldItem> ResponsesWriter::told() const {
  std::vector<ToldItem> told;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    if (items_[i].kind != BlockKind::thinking && items_[i].status == "completed")
      told.push_back({item_id(i), item_json(i)});
  }
  return told;
}

std::string ResponsesWriter::item_id(std::size_t index) const {
  const Item& item = items_[index];
  return std::string(words_of(item.kind, item.custom).prefix) + wire::hex(reply_.seed) + "_" +
         std::to_string(index);
}

// Writes the item's current state. An unfinished part is not content yet.
std::string ResponsesWriter::item_json(std::size_t index) const {
  const Item& item = items_[index];
  const std::string id = "{\"id\":" + string_of(item_id(index));
  const std::string part = item.status == "in_progress" ? "" : part_json(item.kind, item.text);
  switch (item.kind) {
    case BlockKind::thinking:
      return id + ",\"type\":\"reasoning\",\"summary\":[" + part + "]}";
    case BlockKind::call:
      return id + (item.custom ? ",\"type\":\"custom_tool_call\"" : ",\"type\":\"function_call\"") +
             ",\"status\":" + string_of(item.status) + item.head +
             (item.custom ? ",\"input\":" : ",\"arguments\":") + string_of(item.text) + "}";
    case BlockKind::text:
    case BlockKind::refusal:
      break;
  }
  return id + ",\"type\":\"message\",\"status\":" + string_of(item.status) +
         ",\"role\":\"assistant\",\"content\":[" + part + "]}";
}

void ResponsesWriter::name_call(const turn::OpenBlock& step, Item& item) {
  const request::Alias* alias = reply_.aliases.find(step.name);
  item.head = ",\"call_id\":" + quoted(call_id(step));
  if (alias == nullptr) {
    item.head += ",\"name\":" + quoted(step.name);
    return;
  }
  item.custom = alias->custom;
  item.head += ",\"name\":" + quoted(alias->own);
  if (!alias->space.empty()) item.head += ",\"namespace\":" + quoted(alias->space);
}

std::string ResponsesWriter::call_id(const turn::OpenBlock& step) {
  return call_ids_.give(step.id, "call_" + wire::hex(reply_.seed) + "_", step.index);
}

}  // namespace splitproof::proxy::dialect
