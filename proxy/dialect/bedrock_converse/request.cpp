#include "proxy/dialect/bedrock_converse/request.hpp"

#include <charconv>
#include <cstdint>
#include <cstdlib>

#include "proxy/dialect/asked_thinking.hpp"
#include "proxy/dialect/bedrock_converse/messages.hpp"
#include "proxy/request/json_parts.hpp"
#include "proxy/request/tool_choice.hpp"
#include "proxy/wire/ascii.hpp"
#include "proxy/wire/path_segment.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::Asked;
using request::Choice;
using request::List;

void append_tools(const Asked& asked, List& members) {
  if (asked.tools.empty()) return;
  List tools;
  for (const request::Tool& tool : asked.tools) {
    tools.next().append(R"({"toolSpec":{"name":")").append(tool.name).append("\"");
    // The protocol refuses an empty description.
    if (tool.description && !tool.description->empty())
      tools.json.append(R"(,"description":")").append(*tool.description).append("\"");
    tools.json.append(R"(,"inputSchema":{"json":)").append(tool.schema).append("}}}");
  }
  members.next().append("\"toolConfig\":{\"tools\":[").append(tools.json).append("]");
  if (asked.choice == Choice::any) members.json += R"(,"toolChoice":{"any":{}})";
  if (asked.choice == Choice::one)
    members.json.append(R"(,"toolChoice":{"tool":{"name":")").append(asked.chosen).append("\"}}");
  members.json += "}";
}

void append_inference(const Asked& asked, const std::string& max_tokens, List& members) {
  List config;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) config.next().append("\"").append(name).append("\":").append(value);
  };
  add("maxTokens", max_tokens);
  add("temperature", asked.temperature);
  add("topP", asked.top_p);
  List stop;
  for (const std::string& text : asked.stop) stop.next().append("\"").append(text).append("\"");
  if (!stop.json.empty()) add("stopSequences", "[" + stop.json + "]");
  if (!config.json.empty()) members.next().append("\"inferenceConfig\":{").append(config.json).append("}");
}

std::string body_of(const Asked& asked, const Knobs& knobs) {
  std::uint64_t most = knobs.max_tokens;
  std::from_chars(asked.max_tokens.data(), asked.max_tokens.data() + asked.max_tokens.size(), most);
  List model_members;
  const std::string thinking = thinking_member(asked, most, knobs.ask_thinking);
  const std::string effort = effort_member(asked, knobs.ask_thinking);
  if (!thinking.empty()) model_members.next() += thinking;
  if (!effort.empty()) model_members.next().append("\"output_config\":{").append(effort).append("}");
  // A budget has to be below the limit, so the request names one.
  const bool needs_limit = !thinking.empty() && knobs.ask_thinking == AskThinking::budget;

  List members;
  members.next().append("\"messages\":[").append(converse_messages(asked)).append("]");
  if (const std::string system = converse_system(asked); !system.empty())
    members.next().append("\"system\":[").append(system).append("]");
  append_tools(asked, members);
  append_inference(asked, needs_limit ? std::to_string(most) : asked.max_tokens, members);
  if (!model_members.json.empty())
    members.next().append("\"additionalModelRequestFields\":{").append(model_members.json).append("}");
  return "{" + members.json + "}";
}

}  // namespace

tl::expected<std::string, request::Refusal> write_converse_request(const Asked& asked, const Knobs& knobs) {
  const auto refuse = [](const char* what) {
    return tl::make_unexpected(
        request::Refusal{std::string(what) + " no counterpart in the upstream's protocol"});
  };
  if (asked.format.json) return refuse("the format of the answer: it has");
  if (std::strtod(asked.temperature.c_str(), nullptr) > 1) return refuse("temperature: above 1 has");
  try {
    if (!asked.tools.empty() && asked.choice != Choice::none) return body_of(asked, knobs);
    // Without tools the protocol refuses earlier calls too.
    Asked told = asked;
    told.choice = Choice::none;
    request::put_choice_into_words(told);
    return body_of(told, knobs);
  } catch (request::Refusal& refusal) {
    return tl::make_unexpected(std::move(refusal));
  }
}

std::string converse_path(std::string_view /*base*/, std::string_view model, bool stream) {
  return "/model/" + wire::path_segment(model) + (stream ? "/converse-stream" : "/converse");
}

std::string converse_tool_name(std::string_view name) {
  std::string fitted;
  for (const char c : name.substr(0, kMostConverseToolName)) {
    const bool fits = wire::is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
    fitted += fits ? c : '_';
  }
  return fitted.empty() ? "_" : fitted;
}

}  // namespace splitproof::proxy::dialect
