#include "proxy/dialect/kiro_eventstream/request.hpp"

#include <cstdint>
#include <string_view>

#include "proxy/dialect/kiro_eventstream/history.hpp"
#include "proxy/request/json_parts.hpp"
#include "proxy/request/tool_choice.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::Asked;
using request::List;

std::string tools_of(const Asked& asked) {
  List tools;
  if (!kiro_sends_tools(asked)) return {};
  for (const request::Tool& tool : asked.tools) {
    tools.next().append(R"({"toolSpecification":{"name":")").append(tool.name);
    tools.json.append(R"(","description":")").append(tool.description.value_or(tool.name));
    tools.json.append(R"(","inputSchema":{"json":)").append(tool.schema).append("}}}");
  }
  return tools.json;
}

std::string user_json(const KiroUser& user, const std::string& tools, const Asked& asked) {
  std::string json = R"({"userInputMessage":{"content":")" + user.text.text + R"(","modelId":")" +
                     asked.model + R"(","origin":"AI_EDITOR")";
  if (!user.images.json.empty()) json.append(",\"images\":[").append(user.images.json).append("]");
  List context;
  if (!tools.empty()) context.next().append("\"tools\":[").append(tools).append("]");
  if (!user.results.json.empty())
    context.next().append("\"toolResults\":[").append(user.results.json).append("]");
  if (!context.json.empty()) json.append(",\"userInputMessageContext\":{").append(context.json).append("}");
  return json + "}}";
}

std::string assistant_json(const KiroAssistant& said) {
  std::string json = R"({"assistantResponseMessage":{"content":")" + said.text.text + "\"";
  if (!said.calls.json.empty()) json.append(",\"toolUses\":[").append(said.calls.json).append("]");
  return json + "}}";
}

std::uint64_t hash_of(std::string_view text, std::uint64_t seed) {
  std::uint64_t hash = 0xcbf29ce484222325 ^ seed;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// Returns an id in the form of a UUID.
std::string conversation_of(std::string_view opening) {
  std::string id = wire::hex(hash_of(opening, 0)) + wire::hex(hash_of(opening, 1));
  for (const std::size_t place : {20, 16, 12, 8}) id.insert(place, "-");
  return id;
}

std::string limits_of(const Asked& asked) {
  List limits;
  const auto add = [&](std::string_view name, const std::string& number) {
    if (!number.empty()) limits.next().append("\"").append(name).append("\":").append(number);
  };
  add("maxTokens", asked.max_tokens);
  add("temperature", asked.temperature);
  add("topP", asked.top_p);
  return limits.json;
}

}  // namespace

tl::expected<std::string, request::Refusal> write_kiro_request(const Asked& asked) {
  const auto refuse = [](const char* what) {
    return tl::make_unexpected(
        request::Refusal{std::string(what) + " no counterpart in the upstream's protocol"});
  };
  if (!asked.stop.empty()) return refuse("texts that end the answer: they have");
  if (asked.format.json) return refuse("the format of the answer: it has");
  auto history = kiro_history(asked);
  if (!history) return tl::make_unexpected(history.error());
  const KiroUser& first = history->past.empty() ? history->current : history->past.front().asked;
  const std::string id = conversation_of(asked.opening.empty() ? first.text.text : asked.opening);
  List past;
  for (const KiroHistory::Exchange& exchange : history->past) {
    past.next() += user_json(exchange.asked, {}, asked);
    past.next() += assistant_json(exchange.said);
  }
  history->current.text.add(request::directive(asked));
  std::string body = R"({"conversationState":{"chatTriggerType":"MANUAL","conversationId":")" + id + "\"";
  body += ",\"currentMessage\":" + user_json(history->current, tools_of(asked), asked);
  if (!past.json.empty()) body += ",\"history\":[" + past.json + "]";
  body += "}";
  if (const std::string limits = limits_of(asked); !limits.empty())
    body += ",\"inferenceConfig\":{" + limits + "}";
  return body + "}";
}

}  // namespace splitproof::proxy::dialect
