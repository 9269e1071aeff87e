#include "harness/dialect/openai_responses/answer.hpp"

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "harness/dialect/error_words.hpp"
#include "harness/json_member.hpp"
#include "harness/observe/surrogates.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;

std::optional<std::int64_t> count_at(const json& object, const char* key) {
  const json& value = member(object, key);
  return value.is_number_integer() ? std::optional(value.get<std::int64_t>()) : std::nullopt;
}

/// Returns the string, or the digits of a number.
std::string word_at(const json& object, const char* key) {
  const json& value = member(object, key);
  return value.is_number_integer() ? value.dump() : text_of(value);
}

bool is_known(std::string_view type) {
  return type == "message" || type == "reasoning" || type == "function_call" || type == "custom_tool_call";
}

/// Returns an item from one JSON object.
ResponsesItem item_of(const json& whole) {
  ResponsesItem item;
  item.type = string_at(whole, "type");
  item.call_id = string_at(whole, "call_id");
  item.name = string_at(whole, "name");
  item.arguments = string_at(whole, item.type == "custom_tool_call" ? "input" : "arguments");
  item.id = string_at(whole, "id");
  item.status = string_at(whole, "status");
  item.sealed = string_at(whole, "encrypted_content");
  for (const char* list : {"content", "summary"}) {
    const json& parts = member(whole, list);
    if (!parts.is_array()) continue;
    for (const json& part : parts) {
      (string_at(part, "type") == "reasoning_text" ? item.thought : item.text) += string_at(part, "text");
      item.refusal += string_at(part, "refusal");
      const json& notes = member(part, "annotations");
      if (!notes.empty()) item.notes += written(notes);
    }
  }
  if (!is_known(item.type)) item.whole = written(whole);
  return item;
}

/// Target of a part's events.
struct ItemField {
  std::string_view delta;  ///< The event that adds to it, with its member `delta`.
  std::string_view done;   ///< The event with the complete text.
  const char* all;         ///< Member with the complete text.
  std::string ResponsesItem::*at;
};

constexpr std::array<ItemField, 6> kFields = {{
    {"response.output_text.delta", "response.output_text.done", "text", &ResponsesItem::text},
    {"response.refusal.delta", "response.refusal.done", "refusal", &ResponsesItem::refusal},
    {"response.reasoning_summary_text.delta", "response.reasoning_summary_text.done", "text",
     &ResponsesItem::text},
    {"response.function_call_arguments.delta", "response.function_call_arguments.done", "arguments",
     &ResponsesItem::arguments},
    {"response.custom_tool_call_input.delta", "response.custom_tool_call_input.done", "input",
     &ResponsesItem::arguments},
    {"response.reasoning_text.delta", "response.reasoning_text.done", "text", &ResponsesItem::thought},
}};

class AnswerAssembly {
 public:
  void take(const observe::Event& event) {
    if (!event.terminated) return;
    const bool sound = event.json && !answer_.ending && apply(string_at(*event.json, "type"), *event.json);
    if (!sound) ++answer_.refused;
  }

  ResponsesAnswer finish() && {
    for (std::vector<ResponsesItem>* items :
         {&answer_.streamed, &answer_.closed, &answer_.done, &answer_.repeated}) {
      for (ResponsesItem& item : *items) {
        for (std::string ResponsesItem::*text : {&ResponsesItem::text, &ResponsesItem::refusal,
                                                 &ResponsesItem::arguments, &ResponsesItem::thought})
          item.*text = observe::replace_surrogates(observe::join_surrogates(std::move(item.*text)));
      }
    }
    return std::move(answer_);
  }

 private:
  bool apply(const std::string& type, const json& event) {
    if (type.empty()) return false;
    if (type == "response.created") answer_.model = string_at(member(event, "response"), "model");
    if (type == "response.output_item.added") return add(member(event, "item"));
    if (type == "response.output_item.done") return end(member(event, "item"));
    for (const ItemField& field : kFields) {
      if (type == field.delta) return say(event, "delta", field.at, answer_.streamed);
      if (type == field.done) return say(event, field.all, field.at, answer_.closed);
    }
    if (type == "response.completed" || type == "response.incomplete" || type == "response.failed" ||
        type == "error")
      return end_response(type, event);
    return true;
  }

  bool add(const json& item) {
    const std::string id = string_at(item, "id");
    const bool first = places_.insert_or_assign(id, answer_.streamed.size()).second;
    answer_.streamed.push_back(item_of(item));
    answer_.closed.push_back(item_of(item));
    return first && !id.empty() && !string_at(item, "type").empty();
  }

  bool end(const json& item) {
    answer_.done.push_back(item_of(item));
    return places_.count(string_at(item, "id")) > 0;
  }

  bool say(const json& event, const char* key, std::string ResponsesItem::*at,
           std::vector<ResponsesItem>& items) {
    const auto place = places_.find(string_at(event, "item_id"));
    if (place == places_.end() || !member(event, key).is_string()) return false;
    items[place->second].*at += string_at(event, key);
    return true;
  }

  bool end_response(const std::string& type, const json& event) {
    const json& response = member(event, "response");
    answer_.ending = type;
    // An error is documented as flat, but also sent nested.
    const json& nested = member(type == "error" ? event : response, "error");
    const json& error = nested.is_object() || type != "error" ? nested : event;
    answer_.error_code = string_at(error, "code");
    answer_.error = string_at(error, "message");
    answer_.error_classes =
        classes_of_error({word_at(error, "type"), word_at(error, "code"), word_at(error, "status")});
    answer_.reason = string_at(member(response, "incomplete_details"), "reason");
    const json& output = member(response, "output");
    if (output.is_array()) {
      for (const json& item : output) answer_.repeated.push_back(item_of(item));
    }
    const json& usage = member(response, "usage");
    answer_.input_tokens = count_at(usage, "input_tokens");
    answer_.output_tokens = count_at(usage, "output_tokens");
    answer_.cached_tokens = count_at(member(usage, "input_tokens_details"), "cached_tokens");
    answer_.written_tokens = count_at(member(usage, "input_tokens_details"), "cache_write_tokens");
    answer_.reasoning_tokens = count_at(member(usage, "output_tokens_details"), "reasoning_tokens");
    answer_.total_tokens = count_at(usage, "total_tokens");
    return type == "error" || response.is_object();
  }

  ResponsesAnswer answer_;
  std::map<std::string, std::size_t> places_;  ///< Places of items, by id.
};

}  // namespace

ResponsesAnswer assemble_responses_answer(observe::EventStream& stream) {
  AnswerAssembly assembly;
  observe::for_each_event(stream, [&](const observe::Event& event) {
    assembly.take(event);
    return true;
  });
  return std::move(assembly).finish();
}

ResponsesAnswer assemble_responses_answer(const observe::Trace& trace) {
  observe::TraceStream stream(trace);
  return assemble_responses_answer(stream);
}

}  // namespace splitproof::dialect
