#include <nlohmann/json.hpp>
#include <string>

#include "harness/dialect/anthropic_messages/client.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {

using nlohmann::json;

std::string AnthropicClient::as_stream(const json& whole) const {
  if (string_at(whole, "type") != "message" || !member(whole, "content").is_array()) return "";
  const auto frame = [](const char* type, json data) {
    data["type"] = type;
    return "event: " + std::string(type) + "\ndata: " + written(data) + "\n\n";
  };
  json start = whole;
  start["stop_reason"] = nullptr;
  start["stop_sequence"] = nullptr;
  const json ended = {{"stop_reason", member(whole, "stop_reason")},
                      {"stop_sequence", member(whole, "stop_sequence")}};
  return frame("message_start", {{"message", start}}) +
         frame("message_delta", {{"delta", ended}, {"usage", member(whole, "usage")}}) +
         frame("message_stop", json::object());
}

}  // namespace splitproof::dialect
