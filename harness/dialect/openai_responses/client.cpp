#include "harness/dialect/openai_responses/client.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "harness/dialect/openai_responses/answer.hpp"
#include "harness/dialect/openai_responses/reading.hpp"
#include "harness/json_member.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;
using observe::PartKind;

bool is_call(const ResponsesItem& item) {
  return item.type == "function_call" || item.type == "custom_tool_call";
}

struct Taken {
  ResponsesItem item;
  bool done = false;
};

/// Returns an item with the text of its deltas. A string without deltas comes from its `.done` event.
ResponsesItem pieced(ResponsesItem item, const ResponsesItem& closed) {
  for (std::string ResponsesItem::*said :
       {&ResponsesItem::text, &ResponsesItem::refusal, &ResponsesItem::arguments, &ResponsesItem::thought})
    if ((item.*said).empty()) item.*said = closed.*said;
  return item;
}

/// Returns the items in the order of their addition, each as it was done. Some servers change an item's id.
/// Then the first unfinished item of the type is used, or the item is appended.
std::vector<Taken> items_of(const ResponsesAnswer& said) {
  std::vector<Taken> items;
  for (std::size_t i = 0; i < said.streamed.size(); ++i)
    items.push_back({pieced(said.streamed[i], said.closed[i]), false});
  for (const ResponsesItem& done : said.done) {
    auto meant = std::find_if(items.begin(), items.end(),
                              [&](const Taken& one) { return !done.id.empty() && one.item.id == done.id; });
    if (meant == items.end()) {
      meant = std::find_if(items.begin(), items.end(),
                           [&](const Taken& one) { return !one.done && one.item.type == done.type; });
    }
    if (meant == items.end()) meant = items.insert(items.end(), Taken());
    *meant = {done, true};
  }
  return items;
}

std::vector<observe::Part> parts_of(const Taken& taken) {
  const ResponsesItem& item = taken.item;
  std::vector<observe::Part> parts;
  const auto add = [&](PartKind kind, const std::string& text) -> observe::Part& {
    observe::Part part;
    part.kind = kind;
    part.text = text;
    part.ended = taken.done;
    parts.push_back(std::move(part));
    return parts.back();
  };
  if (is_call(item)) {
    observe::Part& call = add(PartKind::call, "");
    call.id = item.call_id;
    call.name = item.name;
    call.arguments = item.arguments;
    call.custom = item.type == "custom_tool_call";
  } else if (item.type == "message") {
    if (!item.text.empty() || item.refusal.empty()) add(PartKind::text, item.text);
    if (!item.refusal.empty()) add(PartKind::refusal, item.refusal);
  } else if (item.type == "reasoning") {
    add(PartKind::thinking, item.text + item.thought).signature = item.sealed;
  } else {
    add(PartKind::other, item.whole);
  }
  return parts;
}

std::optional<observe::FinishReason> finish_of(const ResponsesAnswer& said) {
  using observe::FinishKind;
  if (said.ending == "response.completed") return observe::FinishReason{FinishKind::stop, "completed"};
  if (said.ending != "response.incomplete") return std::nullopt;
  if (said.reason == "max_output_tokens") return observe::FinishReason{FinishKind::length, said.reason};
  if (said.reason == "content_filter") return observe::FinishReason{FinishKind::filter, said.reason};
  return observe::FinishReason{FinishKind::unknown,
                               "incomplete" + (said.reason.empty() ? "" : ", " + said.reason)};
}

bool failed(const ResponsesAnswer& said) {
  return said.ending == "response.failed" || said.ending == "error";
}

class ResponsesMeter final : public ProgressMeter {
 public:
  void take(const observe::SseEvent& sse) override {
    if (!sse.terminated || sse.ill_formed_at) return;
    const auto parsed = parse_strict_json(sse.data);
    if (!parsed || !(*parsed)->is_object()) return;
    const json& event = **parsed;
    const std::string type = string_at(event, "type");
    const std::string item = string_at(event, "item_id");
    if (type == "response.output_item.added" || type == "response.output_item.done") {
      take_item(member(event, "item"), type.ends_with("added"));
    } else if (type == "response.function_call_arguments.delta" ||
               type == "response.custom_tool_call_input.delta") {
      told_.arguments += string_at(event, "delta").size();
      arguments_[item] += string_at(event, "delta").size();
    } else if (type == "response.function_call_arguments.done") {
      rest(arguments_[item], string_at(event, "arguments").size(), told_.arguments);
    } else if (type == "response.custom_tool_call_input.done") {
      rest(arguments_[item], string_at(event, "input").size(), told_.arguments);
    } else if (is_prose(type)) {
      take_prose(event, type, item);
    }
    over_ = over_ || type == "response.completed" || type == "response.incomplete" ||
            type == "response.failed" || type == "error";
  }
  observe::Due told() const override { return told_; }
  bool over() const override { return over_; }

 private:
  static bool is_prose(const std::string& type) {
    for (const char* voice : {"response.output_text.", "response.refusal.", "response.reasoning_text.",
                              "response.reasoning_summary_text."})
      if (type.starts_with(voice)) return type.ends_with(".delta") || type.ends_with(".done");
    return false;
  }

  /// If the end of a piece has more than its deltas, adds the rest.
  static void rest(std::size_t& before, std::size_t all, std::size_t& told) {
    if (all <= before) return;
    told += all - before;
    before = all;
  }

  void take_prose(const json& event, const std::string& type, const std::string& item) {
    const std::string part = item + type.substr(0, type.rfind('.')) + member(event, "content_index").dump() +
                             member(event, "summary_index").dump();
    const std::size_t before = parts_[part];
    std::size_t all = before + string_at(event, "delta").size();
    if (type.ends_with(".done")) all = string_at(event, "text").size() + string_at(event, "refusal").size();
    rest(parts_[part], all, told_.prose);
    prose_[item] += parts_[part] - before;
  }

  void take_item(const json& item, bool added) {
    const std::string type = string_at(item, "type");
    const std::string id = string_at(item, "id");
    if (type == "function_call" || type == "custom_tool_call") {
      if (added || !calls_.contains(id)) ++told_.calls;
      calls_.insert(id);
      rest(arguments_[id], string_at(item, type == "custom_tool_call" ? "input" : "arguments").size(),
           told_.arguments);
    }
    std::size_t all = 0;
    for (const char* list : {"content", "summary"}) {
      const json& parts = member(item, list);
      if (!parts.is_array()) continue;
      for (const json& part : parts)
        all += string_at(part, "text").size() + string_at(part, "refusal").size();
    }
    rest(prose_[id], all, told_.prose);
  }

  observe::Due told_;
  std::map<std::string, std::size_t> parts_;      ///< Received bytes, by item and part.
  std::map<std::string, std::size_t> prose_;      ///< Received bytes, by item.
  std::map<std::string, std::size_t> arguments_;  ///< Received bytes, by item.
  std::set<std::string> calls_;                   ///< items
  bool over_ = false;
};

}  // namespace

observe::Answer ResponsesClient::assemble(observe::EventStream& stream) const {
  const ResponsesAnswer said = assemble_responses_answer(stream);
  observe::Answer answer;
  answer.model = said.model;
  std::string notes;
  for (const Taken& taken : items_of(said)) {
    for (observe::Part& part : parts_of(taken)) answer.parts.push_back(std::move(part));
    notes += taken.item.notes;
  }
  answer.finish = finish_of(said);
  answer.done = said.ending.has_value();
  answer.usage = {said.input_tokens,     said.cached_tokens, said.output_tokens,
                  said.reasoning_tokens, said.total_tokens,  said.written_tokens};
  if (failed(said)) {
    answer.error = said.error;
    answer.error_classes = said.error_classes;
    answer.extra["the error's code"] = said.error_code;
  }
  if (!notes.empty()) answer.extra["the annotations"] = notes;
  if (said.refused > 0)
    answer.extra["the number of events a strict client refuses"] = std::to_string(said.refused);
  return answer;
}

observe::NormalisedAnswer ResponsesClient::side(observe::EventStream& stream) const {
  const ResponsesAnswer said = assemble_responses_answer(stream);
  observe::NormalisedAnswer side;
  for (const Taken& taken : items_of(said)) {
    for (const observe::Part& part : parts_of(taken)) {
      if (part.kind == PartKind::call) {
        side.add_call(observe::call_of(part.id, part.name, part.arguments, part.custom));
      } else if (part.kind == PartKind::other) {
        side.add_other(taken.item.whole);
      } else {
        side.add_prose(part.kind == PartKind::text       ? observe::NormalisedAnswer::Kind::text
                       : part.kind == PartKind::thinking ? observe::NormalisedAnswer::Kind::thinking
                                                         : observe::NormalisedAnswer::Kind::refusal,
                       part.text, "");
      }
    }
  }
  for (const ResponsesItem& done : said.done) {
    if (!is_call(done) || (!done.status.empty() && done.status != "completed")) continue;
    const observe::NormalisedAnswer::Call call =
        observe::call_of(done.call_id, done.name, done.arguments, done.type == "custom_tool_call");
    side.runs.push_back({call.name, call.input});
  }
  if (const auto finish = finish_of(said)) side.finish = observe::finish_word(*finish);
  side.error = failed(said) || (stream.message_end() == observe::MessageEnd::cut && !said.ending);
  side.error_classes = said.error_classes;
  side.any_end = side.finish.is_null() && !side.error;
  if (said.output_tokens) side.output = *said.output_tokens;
  if (said.reasoning_tokens) side.reasoning = *said.reasoning_tokens;
  if (said.total_tokens) side.total = *said.total_tokens;
  if (said.input_tokens) {
    side.cached = said.cached_tokens.value_or(0);
    if (said.written_tokens) side.written = *said.written_tokens;
    side.input = *said.input_tokens - said.cached_tokens.value_or(0) - said.written_tokens.value_or(0);
  }
  return side;
}

std::map<std::string, std::string> ResponsesClient::notes(observe::EventStream& stream) const {
  ResponsesReading reading;
  const observe::Answer answer = read(reading, stream);
  std::map<std::string, std::string> notes = answer.extra;
  for (std::size_t i = 0; i < answer.parts.size(); ++i) {
    const observe::Part& part = answer.parts[i];
    const std::string of = " of part " + std::to_string(i);
    if (!part.signature.empty()) notes["the signature" + of] = part.signature;
    if (part.kind == PartKind::other) notes["the members" + of] = part.text;
  }
  return notes;
}

observe::ClientCapabilities ResponsesClient::carries(const json* request) const {
  observe::ClientCapabilities carries{
      .accepts_id = observe::is_any_id, .filter = true, .calls = false, .incomplete = true, .losses = {}};
  const json& tools = request != nullptr ? member(*request, "tools") : json();
  if (!tools.is_array()) return carries;
  for (const json& tool : tools)
    if (string_at(tool, "type") == "custom") carries.custom_tools.insert(string_at(tool, "name"));
  return carries;
}

std::unique_ptr<ProgressMeter> ResponsesClient::meter(const observe::Choices& /*choices*/) const {
  return std::make_unique<ResponsesMeter>();
}

std::string ResponsesClient::added_text(const json& event) const { return string_at(event, "delta"); }

std::string ResponsesClient::lone_error(int status) const {
  // Some clients only read the response, so an error event would tell them nothing.
  return "event: response.created\n"
         R"(data: {"type":"response.created","response":{"id":"resp_none","object":"response","created_at":0,"status":"in_progress","error":null,"incomplete_details":null,"instructions":null,"metadata":{},"model":"any","output":[],"parallel_tool_calls":true,"temperature":null,"tool_choice":"auto","tools":[],"top_p":null,"usage":null},"sequence_number":0})"
         "\n\nevent: response.failed\n"
         R"(data: {"type":"response.failed","response":{"id":"resp_none","object":"response","created_at":0,"status":"failed","error":{"code":")" +
         std::to_string(status) +
         R"(","message":"An HTTP status."},"incomplete_details":null,"instructions":null,"metadata":{},"model":"any","output":[],"parallel_tool_calls":true,"temperature":null,"tool_choice":"auto","tools":[],"top_p":null,"usage":null},"sequence_number":1})"
         "\n\n";
}

json ResponsesClient::request(const Wants& wants) const {
  json request = {{"model", "any"}, {"input", user_turn()}, {"stream", true}, {"store", false}};
  if (!wants.system.empty()) request["instructions"] = wants.system;
  for (const WantedTool& tool : wants.tools) {
    request["tools"].push_back({{"type", "function"},
                                {"name", tool.name},
                                {"description", description_of(tool)},
                                {"parameters", schema_of(tool)},
                                {"strict", false}});
  }
  if (wants.thinking) {
    request["reasoning"] = {{"summary", "auto"}};
    request["include"] = {"reasoning.encrypted_content"};
  }
  return request;
}

}  // namespace splitproof::dialect
