#include "proxy/dialect/anthropic_messages/upstream_request.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <variant>

#include "proxy/dialect/anthropic_messages/call_id.hpp"
#include "proxy/dialect/asked_thinking.hpp"
#include "proxy/request/json_parts.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::Asked;
using request::Image;
using request::List;
using request::Text;

// True for a text that the protocol refuses.
bool is_blank(const std::string& text) {
  return request::plain(text).find_first_not_of(" \t\r\n") == std::string::npos;
}

void append_text(const Text& text, List& blocks) {
  if (is_blank(text.text)) return;
  blocks.next().append(R"({"type":"text","text":")").append(text.text).append("\"}");
}

void append_image(const Image& image, List& blocks) {
  blocks.next() += R"({"type":"image","source":{"type":")";
  if (image.url.empty()) {
    blocks.json.append(R"(base64","media_type":")").append(image.media_type);
    blocks.json.append(R"(","data":")").append(image.data);
  } else {
    blocks.json.append(R"(url","url":")").append(image.url);
  }
  blocks.json += "\"}}";
}

std::string id_json(const std::string& escaped) {
  return wire::quoted(messages_call_id(request::plain(escaped)));
}

void append_call(const request::Call& call, List& blocks) {
  blocks.next().append(R"({"type":"tool_use","id":)").append(id_json(call.id));
  blocks.json.append(R"(,"name":")").append(call.name).append(R"(","input":)").append(call.input).append("}");
}

void append_result(const request::Result& result, List& blocks) {
  List content;
  for (const auto& part : result.content) {
    if (const auto* text = std::get_if<Text>(&part)) append_text(*text, content);
    if (const auto* image = std::get_if<Image>(&part)) append_image(*image, content);
  }
  blocks.next().append(R"({"type":"tool_result","tool_use_id":)").append(id_json(result.call));
  if (!content.json.empty()) blocks.json.append(",\"content\":[").append(content.json).append("]");
  blocks.json += result.error ? ",\"is_error\":true}" : "}";
}

std::string blocks_of(const request::Turn& turn) {
  List blocks;
  for (const request::Block& block : turn.blocks) {
    if (const auto* text = std::get_if<Text>(&block)) append_text(*text, blocks);
    if (const auto* image = std::get_if<Image>(&block)) append_image(*image, blocks);
    if (const auto* call = std::get_if<request::Call>(&block)) append_call(*call, blocks);
    if (const auto* result = std::get_if<request::Result>(&block)) append_result(*result, blocks);
  }
  return blocks.json;
}

void append_turns(const Asked& asked, std::string& body) {
  List system;
  List messages;
  for (const std::string& text : asked.system) append_text({text}, system);
  for (const request::Turn& turn : asked.turns) {
    const std::string blocks = blocks_of(turn);
    if (blocks.empty()) continue;
    if (turn.role == request::Role::system) {
      system.next() += blocks;
    } else {
      messages.next() += turn.role == request::Role::user ? R"({"role":"user","content":[)"
                                                          : R"({"role":"assistant","content":[)";
      messages.json.append(blocks).append("]}");
    }
  }
  if (!system.json.empty()) body.append(",\"system\":[").append(system.json).append("]");
  body.append(",\"messages\":[").append(messages.json).append("]");
}

// Sends the tools even if none may be called: earlier turns may have calls.
void append_tools(const Asked& asked, std::string& body) {
  if (asked.tools.empty()) return;
  List tools;
  for (const request::Tool& tool : asked.tools) {
    tools.next().append("{\"name\":\"").append(tool.name).append("\"");
    if (tool.description) tools.json.append(",\"description\":\"").append(*tool.description).append("\"");
    tools.json.append(",\"input_schema\":")
        .append(tool.schema)
        .append(tool.strict ? ",\"strict\":true}" : "}");
  }
  body.append(",\"tools\":[").append(tools.json).append("]");
  std::string choice;
  switch (asked.choice) {
    case request::Choice::none:
      body += R"(,"tool_choice":{"type":"none"})";
      return;
    case request::Choice::automatic:
      if (asked.parallel) return;
      choice = R"("auto")";
      break;
    case request::Choice::any:
      choice = R"("any")";
      break;
    case request::Choice::one:
      choice = R"("tool","name":")" + asked.chosen + "\"";
      break;
  }
  body.append(",\"tool_choice\":{\"type\":").append(choice);
  body += asked.parallel ? "}" : ",\"disable_parallel_tool_use\":true}";
}

void append_output(const Asked& asked, AskThinking ask, std::string& body) {
  List members;
  if (const std::string effort = effort_member(asked, ask); !effort.empty()) members.next() += effort;
  if (asked.format.json)
    members.next()
        .append(R"("format":{"type":"json_schema","schema":)")
        .append(asked.format.schema)
        .append("}");
  if (!members.json.empty()) body.append(",\"output_config\":{").append(members.json).append("}");
}

void append_number(std::string_view name, const std::string& number, std::string& body) {
  if (!number.empty()) body.append(",\"").append(name).append("\":").append(number);
}

}  // namespace

tl::expected<std::string, request::Refusal> messages_members(const Asked& asked, const Knobs& knobs) {
  if (asked.format.json && asked.format.name.empty()) {
    return tl::make_unexpected(request::Refusal{
        "the format of the answer: JSON without a schema has no counterpart in the upstream's protocol"});
  }
  if (std::strtod(asked.temperature.c_str(), nullptr) > 1) {
    return tl::make_unexpected(
        request::Refusal{"temperature: above 1 has no counterpart in the upstream's protocol"});
  }
  if (std::any_of(asked.stop.begin(), asked.stop.end(), is_blank)) {
    return tl::make_unexpected(request::Refusal{
        "texts that end the answer: a blank one has no counterpart in the upstream's protocol"});
  }
  std::uint64_t max_tokens = knobs.max_tokens;
  const std::string& said = asked.max_tokens;
  std::from_chars(said.data(), said.data() + said.size(), max_tokens);
  std::string body = "\"max_tokens\":" + std::to_string(max_tokens);
  append_turns(asked, body);
  append_tools(asked, body);
  append_number("temperature", asked.temperature, body);
  append_number("top_p", asked.top_p, body);
  List stop;
  for (const std::string& text : asked.stop) stop.next().append("\"").append(text).append("\"");
  if (!stop.json.empty()) body.append(",\"stop_sequences\":[").append(stop.json).append("]");
  if (const std::string thinking = thinking_member(asked, max_tokens, knobs.ask_thinking); !thinking.empty())
    body.append(",").append(thinking);
  append_output(asked, knobs.ask_thinking, body);
  return body;
}

tl::expected<std::string, request::Refusal> write_messages_request(const Asked& asked, const Knobs& knobs) {
  const auto members = messages_members(asked, knobs);
  if (!members) return tl::make_unexpected(members.error());
  return "{\"model\":\"" + asked.model + "\"," + *members + ",\"stream\":true}";
}

}  // namespace splitproof::proxy::dialect
