#include "proxy/dialect/openai_responses/upstream_request.hpp"

#include <string_view>
#include <variant>

#include "proxy/request/json_parts.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::Asked;
using request::Image;
using request::Joined;
using request::List;
using request::Role;
using request::Text;

void append_text(std::string_view type, const Text& text, List& parts) {
  parts.next().append("{\"type\":\"").append(type).append("\",\"text\":\"").append(text.text).append("\"}");
}

void append_image(const Image& image, List& parts) {
  parts.next() += R"({"type":"input_image","image_url":")";
  if (image.url.empty()) {
    parts.json.append("data:").append(image.media_type).append(";base64,").append(image.data);
  } else {
    parts.json += image.url;
  }
  parts.json += "\"}";
}

std::string_view name_of(Role role) {
  switch (role) {
    case Role::user:
      return "user";
    case Role::assistant:
      return "assistant";
    case Role::system:
      break;
  }
  return "developer";
}

// Ends the current message, if it has parts.
void flush(Role role, List& parts, List& items) {
  if (parts.json.empty()) return;
  items.next().append(R"({"type":"message","role":")").append(name_of(role)).append("\",\"content\":[");
  items.json.append(parts.json).append("]}");
  parts.json.clear();
}

void append_call(const request::Call& call, List& items) {
  items.next().append(R"({"type":"function_call","call_id":")").append(call.id);
  items.json.append("\",\"name\":\"").append(call.name).append("\",\"arguments\":");
  wire::append_quoted(items.json, call.input);
  items.json += "}";
}

void append_result(const request::Result& result, List& items) {
  Joined text;
  List parts;
  bool images = false;
  if (result.error) append_text("input_text", {"Error:"}, parts);
  for (const auto& part : result.content) {
    if (const auto* said = std::get_if<Text>(&part)) {
      text.add(said->text);
      append_text("input_text", *said, parts);
    } else {
      images = true;
      append_image(std::get<Image>(part), parts);
    }
  }
  items.next()
      .append(R"({"type":"function_call_output","call_id":")")
      .append(result.call)
      .append("\",\"output\":");
  if (images) {
    items.json.append("[").append(parts.json).append("]}");
  } else {
    items.json.append(result.error ? "\"Error: " : "\"").append(text.text).append("\"}");
  }
}

void append_turn(const request::Turn& turn, List& items) {
  List parts;
  const std::string_view text_type = turn.role == Role::assistant ? "output_text" : "input_text";
  for (const request::Block& block : turn.blocks) {
    if (const auto* text = std::get_if<Text>(&block)) append_text(text_type, *text, parts);
    if (const auto* image = std::get_if<Image>(&block)) append_image(*image, parts);
    const auto* call = std::get_if<request::Call>(&block);
    const auto* result = std::get_if<request::Result>(&block);
    if (call == nullptr && result == nullptr) continue;
    flush(turn.role, parts, items);
    if (call != nullptr) append_call(*call, items);
    if (result != nullptr) append_result(*result, items);
  }
  flush(turn.role, parts, items);
}

void append_tools(const Asked& asked, std::string& body) {
  if (asked.tools.empty()) return;
  List tools;
  for (const request::Tool& tool : asked.tools) {
    tools.next().append(R"({"type":"function","name":")").append(tool.name).append("\"");
    if (tool.description) tools.json.append(",\"description\":\"").append(*tool.description).append("\"");
    tools.json.append(",\"parameters\":").append(tool.schema);
    tools.json += tool.strict ? ",\"strict\":true}" : ",\"strict\":false}";
  }
  body.append(",\"tools\":[").append(tools.json).append("]");
  switch (asked.choice) {
    case request::Choice::automatic:
      break;
    case request::Choice::none:
      body += R"(,"tool_choice":"none")";
      break;
    case request::Choice::any:
      body += R"(,"tool_choice":"required")";
      break;
    case request::Choice::one:
      body.append(R"(,"tool_choice":{"type":"function","name":")").append(asked.chosen).append("\"}");
      break;
  }
  if (!asked.parallel) body += ",\"parallel_tool_calls\":false";
}

void append_number(std::string_view name, const std::string& number, std::string& body) {
  if (!number.empty()) body.append(",\"").append(name).append("\":").append(number);
}

// Raises a limit to the protocol's minimum.
std::string at_least_taken(const std::string& limit) {
  constexpr std::string_view kLeast = "16";
  const bool is_less =
      !limit.empty() && (limit.size() < kLeast.size() || (limit.size() == kLeast.size() && limit < kLeast));
  return std::string(is_less ? kLeast : limit);
}

void append_format(const request::Format& format, std::string& body) {
  if (!format.json) return;
  body += R"(,"text":{"format":{"type":)";
  if (format.name.empty()) {
    body += "\"json_object\"}}";
    return;
  }
  body.append("\"json_schema\",\"name\":\"").append(format.name).append("\"");
  if (!format.description.empty()) body.append(",\"description\":\"").append(format.description).append("\"");
  body.append(",\"schema\":")
      .append(format.schema)
      .append(format.strict ? ",\"strict\":true}}" : ",\"strict\":false}}");
}

}  // namespace

tl::expected<std::string, request::Refusal> write_responses_request(const Asked& asked) {
  if (!asked.stop.empty()) {
    return tl::make_unexpected(
        request::Refusal{"texts that end the answer: they have no counterpart in the upstream's protocol"});
  }
  std::string body = "{\"model\":\"" + asked.model + "\"";
  Joined instructions;
  for (const std::string& text : asked.system) instructions.add(text);
  if (!instructions.text.empty()) body.append(",\"instructions\":\"").append(instructions.text).append("\"");
  List items;
  for (const request::Turn& turn : asked.turns) append_turn(turn, items);
  body.append(",\"input\":[").append(items.json).append("]");
  append_tools(asked, body);
  append_number("max_output_tokens", at_least_taken(asked.max_tokens), body);
  append_number("temperature", asked.temperature, body);
  append_number("top_p", asked.top_p, body);
  if (!asked.effort.empty()) body.append(R"(,"reasoning":{"effort":")").append(asked.effort).append("\"}");
  append_format(asked.format, body);
  return body + ",\"store\":false,\"stream\":true}";
}

}  // namespace splitproof::proxy::dialect
