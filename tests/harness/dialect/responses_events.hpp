#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// The events of Responses streams, for tests that assemble streams.
namespace splitproof::dialect::responses_events {

using nlohmann::json;

inline std::string frames(const std::vector<std::string>& events) {
  std::string body;
  for (const std::string& event : events) body += "data: " + event + "\n\n";
  return body;
}

inline std::string of_type(const std::string& type, json event = json::object()) {
  event["type"] = "response." + type;
  return event.dump();
}

inline std::string created() { return of_type("created", {{"response", {{"model", "m"}}}}); }

/// Returns the event that ends a response with these `members`.
inline std::string ended(const std::string& how, const json& members = json::object()) {
  return of_type(how, {{"response", members}});
}

inline std::string added(int index, const json& item) {
  return of_type("output_item.added", {{"output_index", index}, {"item", item}});
}

inline std::string done(int index, const json& item) {
  return of_type("output_item.done", {{"output_index", index}, {"item", item}});
}

inline json list(const std::vector<json>& elements) { return elements; }

inline json message(const std::string& id, const json& content = json::array()) {
  return {{"id", id}, {"type", "message"}, {"content", content}};
}

inline json reasoning(const std::string& id, const json& summary = json::array(),
                      const json& content = json::array()) {
  return {{"id", id}, {"type", "reasoning"}, {"summary", summary}, {"content", content}};
}

inline json call(const std::string& id, const std::string& name, const std::string& arguments = "") {
  return {{"id", "fc_" + id},
          {"type", "function_call"},
          {"call_id", id},
          {"name", name},
          {"arguments", arguments}};
}

inline json custom(const std::string& id, const std::string& name, const std::string& input = "") {
  return {
      {"id", "ct_" + id}, {"type", "custom_tool_call"}, {"call_id", id}, {"name", name}, {"input", input}};
}

inline json part(const std::string& type, const std::string& said) {
  return {{"type", type}, {type == "refusal" ? "refusal" : "text", said}};
}

/// Returns an event about part `number` of an item.
inline std::string about(const std::string& type, int index, const std::string& id, json event,
                         int number = 0) {
  event["output_index"] = index;
  if (!id.empty()) event["item_id"] = id;
  event[type.find("summary") == std::string::npos ? "content_index" : "summary_index"] = number;
  return of_type(type, event);
}

inline std::string words(int index, const std::string& id, const std::string& text, int number = 0) {
  return about("output_text.delta", index, id, {{"delta", text}}, number);
}

inline std::string arguments(int index, const std::string& id, const std::string& text) {
  return about("function_call_arguments.delta", index, id, {{"delta", text}});
}

}  // namespace splitproof::dialect::responses_events
