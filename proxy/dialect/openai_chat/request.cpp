#include "proxy/dialect/openai_chat/request.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <variant>

#include "proxy/dialect/reported.hpp"
#include "proxy/request/escaped.hpp"
#include "proxy/request/json_parts.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::Image;
using request::Joined;
using request::List;
using request::Text;

void append_text(std::string_view text, List& parts) {
  parts.next().append("{\"type\":\"text\",\"text\":\"").append(text).append("\"}");
}

void append_image(const Image& image, List& parts) {
  parts.next() += "{\"type\":\"image_url\",\"image_url\":{\"url\":\"";
  if (image.url.empty()) {
    parts.json.append("data:").append(image.media_type).append(";base64,").append(image.data);
  } else {
    parts.json += image.url;
  }
  parts.json += "\"}}";
}

// Shortens a call's id, which every image in its result repeats. No provider has longer ids.
std::string told_id(const std::string& id) {
  constexpr std::size_t kLongest = 2000;
  return id.size() <= kLongest ? id : request::escaped(shortened(request::plain(id)));
}

// Puts the images into `parts`.
void append_result(const request::Result& result, List& messages, List& parts) {
  Joined text;
  const std::string heading = "Image in the result of " + told_id(result.call) + ":";
  for (const auto& part : result.content) {
    if (const auto* said = std::get_if<Text>(&part)) {
      text.add(said->text);
    } else {
      append_text(heading, parts);
      append_image(std::get<Image>(part), parts);
    }
  }
  messages.next().append("{\"role\":\"tool\",\"tool_call_id\":\"").append(result.call);
  messages.json.append("\",\"content\":\"")
      .append(result.error ? "Error: " : "")
      .append(text.text)
      .append("\"}");
}

void append_user(const request::Turn& turn, List& messages) {
  List images;  // of results
  List parts;
  const Text* only = nullptr;  // a string suffices
  for (const request::Block& block : turn.blocks) {
    if (const auto* result = std::get_if<request::Result>(&block)) {
      append_result(*result, messages, images);
      continue;
    }
    const auto* text = std::get_if<Text>(&block);
    only = parts.json.empty() ? text : nullptr;
    if (text != nullptr) append_text(text->text, parts);
    if (const auto* image = std::get_if<Image>(&block)) append_image(*image, parts);
  }
  if (images.json.empty() && parts.json.empty()) return;
  messages.next() += "{\"role\":\"user\",\"content\":";
  if (images.json.empty() && only != nullptr) {
    messages.json.append("\"").append(only->text).append("\"}");
    return;
  }
  if (!parts.json.empty()) images.next() += parts.json;
  messages.json.append("[").append(images.json).append("]}");
}

void append_call(const request::Call& call, List& calls) {
  calls.next()
      .append("{\"id\":\"")
      .append(call.id)
      .append("\",\"type\":\"function\",\"function\":{\"name\":\"");
  calls.json.append(call.name).append("\",\"arguments\":");
  wire::append_quoted(calls.json, call.input);
  calls.json += "}}";
}

void append_assistant(const request::Turn& turn, List& messages) {
  Joined text;
  bool said = false;
  List calls;
  for (const request::Block& block : turn.blocks) {
    if (const auto* spoken = std::get_if<Text>(&block)) {
      said = true;
      text.add(spoken->text);
    }
    if (const auto* call = std::get_if<request::Call>(&block)) append_call(*call, calls);
  }
  if (!said && calls.json.empty()) return;
  messages.next() += "{\"role\":\"assistant\",\"content\":";
  messages.json += said ? "\"" + text.text + "\"" : "null";
  if (!calls.json.empty()) messages.json.append(",\"tool_calls\":[").append(calls.json).append("]");
  messages.json += "}";
}

void append_messages(const request::Asked& asked, std::string& body) {
  List messages;
  Joined system;
  for (const std::string& text : asked.system) system.add(text);
  if (!system.text.empty())
    messages.next().append("{\"role\":\"system\",\"content\":\"").append(system.text).append("\"}");
  for (const request::Turn& turn : asked.turns) {
    switch (turn.role) {
      case request::Role::user:
        append_user(turn, messages);
        break;
      case request::Role::assistant:
        append_assistant(turn, messages);
        break;
      case request::Role::system:
        messages.next() += "{\"role\":\"system\",\"content\":\"" + request::text_of(turn) + "\"}";
        break;
    }
  }
  body.append(",\"messages\":[").append(messages.json).append("]");
}

void append_tool(const request::Tool& tool, List& tools) {
  tools.next().append("{\"type\":\"function\",\"function\":{\"name\":\"").append(tool.name).append("\"");
  if (tool.description) tools.json.append(",\"description\":\"").append(*tool.description).append("\"");
  tools.json.append(",\"parameters\":").append(tool.schema);
  if (tool.strict) tools.json += ",\"strict\":true";
  tools.json += "}}";
}

void append_tools(const request::Asked& asked, std::string& body) {
  if (asked.tools.empty() || asked.choice == request::Choice::none) return;
  List tools;
  for (const request::Tool& tool : asked.tools) append_tool(tool, tools);
  body.append(",\"tools\":[").append(tools.json).append("]");
  if (asked.choice == request::Choice::any) body += ",\"tool_choice\":\"required\"";
  if (asked.choice == request::Choice::one) {
    body.append(",\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"").append(asked.chosen);
    body += "\"}}";
  }
  if (!asked.parallel) body += ",\"parallel_tool_calls\":false";
}

void append_number(std::string_view name, const std::string& number, std::string& body) {
  if (!number.empty()) body.append(",\"").append(name).append("\":").append(number);
}

void append_format(const request::Format& format, std::string& body) {
  if (!format.json) return;
  body += ",\"response_format\":{\"type\":";
  if (format.name.empty()) {
    body += "\"json_object\"}";
    return;
  }
  body.append("\"json_schema\",\"json_schema\":{\"name\":\"").append(format.name).append("\"");
  if (!format.description.empty()) body.append(",\"description\":\"").append(format.description).append("\"");
  body.append(",\"schema\":").append(format.schema);
  if (format.strict) body += ",\"strict\":true";
  body += "}}";
}

}  // namespace

std::optional<request::Refusal> chat_refusal(const request::Asked& asked) {
  constexpr std::size_t kMostStops = 4;
  constexpr std::size_t kLongestName = 64;
  if (asked.stop.size() > kMostStops)
    return request::Refusal{"texts that end the answer: the upstream's protocol has four at most"};
  const bool names_fit = std::all_of(asked.tools.begin(), asked.tools.end(), [](const request::Tool& tool) {
    return tool.name.size() <= kLongestName;
  });
  if (names_fit || asked.choice == request::Choice::none) return std::nullopt;
  return request::Refusal{
      "tools: one has a name of more than 64 characters, the most in the upstream's protocol"};
}

std::string write_chat_request(const request::Asked& asked, const Knobs& knobs) {
  std::string body = "{\"model\":\"" + asked.model + "\"";
  append_number(knobs.max_tokens_field == MaxTokensField::max_tokens ? "max_tokens" : "max_completion_tokens",
                asked.max_tokens, body);
  append_messages(asked, body);
  append_tools(asked, body);
  append_number("temperature", asked.temperature, body);
  append_number("top_p", asked.top_p, body);
  List stop;
  for (const std::string& text : asked.stop) stop.next().append("\"").append(text).append("\"");
  if (!stop.json.empty()) body.append(",\"stop\":[").append(stop.json).append("]");
  if (!asked.effort.empty()) body.append(",\"reasoning_effort\":\"").append(asked.effort).append("\"");
  append_format(asked.format, body);
  return body + ",\"stream\":true,\"stream_options\":{\"include_usage\":true}}";
}

}  // namespace splitproof::proxy::dialect
