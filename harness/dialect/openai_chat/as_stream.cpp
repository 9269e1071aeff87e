#include <nlohmann/json.hpp>
#include <string>

#include "harness/dialect/openai_chat/client.hpp"
#include "harness/json_member.hpp"

namespace splitproof::dialect {

using nlohmann::json;

std::string ChatClient::as_stream(const json& whole) const {
  const json& choices = member(whole, "choices");
  if (!choices.is_array()) return "";
  json chunk = whole;
  for (json& choice : chunk["choices"]) {
    json delta = member(choice, "message");
    if (!delta.is_object()) return "";
    const json calls = member(delta, "tool_calls");
    for (std::size_t i = 0; calls.is_array() && i < calls.size(); ++i)
      if (calls[i].is_object()) delta["tool_calls"][i]["index"] = i;
    choice.erase("message");
    choice["delta"] = std::move(delta);
  }
  return "data: " + written(chunk) + "\n\ndata: [DONE]\n\n";
}

}  // namespace splitproof::dialect
