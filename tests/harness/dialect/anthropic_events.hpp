#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// The events of Anthropic Messages streams, for tests that assemble streams.
namespace splitproof::dialect::anthropic_events {

inline std::string frames(const std::vector<std::string>& events) {
  std::string body;
  for (const std::string& event : events) body += "data: " + event + "\n\n";
  return body;
}

inline std::string of_type(const char* type, nlohmann::json event = nlohmann::json::object()) {
  event["type"] = type;
  return event.dump();
}

inline std::string start(int index, const std::string& block) {
  return of_type("content_block_start", {{"index", index}, {"content_block", nlohmann::json::parse(block)}});
}

inline std::string text_start(int index) { return start(index, R"({"type":"text","text":""})"); }

inline std::string thinking_start(int index) {
  return start(index, R"({"type":"thinking","thinking":"","signature":""})");
}

inline std::string tool_start(int index, const std::string& id, const std::string& name) {
  const nlohmann::json block = {
      {"type", "tool_use"}, {"id", id}, {"name", name}, {"input", nlohmann::json::object()}};
  return start(index, block.dump());
}

inline std::string delta(int index, const char* type, const char* field, const std::string& value) {
  return of_type("content_block_delta", {{"index", index}, {"delta", {{"type", type}, {field, value}}}});
}

inline std::string words(int index, const std::string& text) {
  return delta(index, "text_delta", "text", text);
}

inline std::string thought(int index, const std::string& text) {
  return delta(index, "thinking_delta", "thinking", text);
}

inline std::string signature(int index, const std::string& text) {
  return delta(index, "signature_delta", "signature", text);
}

inline std::string arguments(int index, const std::string& text) {
  return delta(index, "input_json_delta", "partial_json", text);
}

inline std::string stop(int index) { return of_type("content_block_stop", {{"index", index}}); }

inline std::string message_start(const nlohmann::json& usage = {{"input_tokens", 0}, {"output_tokens", 0}}) {
  return of_type("message_start", {{"message", {{"model", "m"}, {"usage", usage}}}});
}

inline std::string message_delta(const std::string& stop_reason, const nlohmann::json& usage) {
  return of_type("message_delta", {{"delta", {{"stop_reason", stop_reason}}}, {"usage", usage}});
}

inline std::string message_stop() { return of_type("message_stop"); }

inline std::string error() {
  return of_type("error", {{"error", {{"type", "api_error"}, {"message", "it broke"}}}});
}

}  // namespace splitproof::dialect::anthropic_events
