#include "proxy/dialect/ollama_chat/request.hpp"

#include <map>
#include <string_view>
#include <variant>

#include "proxy/request/json_parts.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::Image;
using request::Joined;
using request::List;
using request::Text;

// Content of one message, apart from its role.
struct Content {
  Joined text;
  List images;
  bool any = false;

  void add(const Text& said) {
    any = true;
    text.add(said.text);
  }

  void add(const Image& image) {
    any = true;
    if (image.url.empty()) {
      images.next().append("\"").append(image.data).append("\"");
    } else {
      text.add("Image: " + image.url);
    }
  }

  std::string json() const {
    std::string members = "\"content\":\"" + text.text + "\"";
    if (!images.json.empty()) members += ",\"images\":[" + images.json + "]";
    return members;
  }
};

using Names = std::map<std::string, std::string>;  // of tools, by the ids of calls

void append_result(const request::Result& result, const Names& names, List& messages) {
  Content content;
  if (result.error) content.text.add("Error:");
  for (const auto& part : result.content) std::visit([&](const auto& said) { content.add(said); }, part);
  messages.next() += "{\"role\":\"tool\"," + content.json();
  if (const auto found = names.find(result.call); found != names.end())
    messages.json += ",\"tool_name\":\"" + found->second + "\"";
  messages.json += ",\"tool_call_id\":\"" + result.call + "\"}";
}

void append_user(const request::Turn& turn, const Names& names, List& messages) {
  Content content;
  for (const request::Block& block : turn.blocks) {
    if (const auto* result = std::get_if<request::Result>(&block)) append_result(*result, names, messages);
    if (const auto* text = std::get_if<Text>(&block)) content.add(*text);
    if (const auto* image = std::get_if<Image>(&block)) content.add(*image);
  }
  if (content.any) messages.next() += "{\"role\":\"user\"," + content.json() + "}";
}

void append_assistant(const request::Turn& turn, Names& names, List& messages) {
  Content content;
  List calls;
  for (const request::Block& block : turn.blocks) {
    if (const auto* text = std::get_if<Text>(&block)) content.add(*text);
    const auto* call = std::get_if<request::Call>(&block);
    if (call == nullptr) continue;
    names[call->id] = call->name;
    calls.next() += "{\"id\":\"" + call->id + "\",\"function\":{\"name\":\"" + call->name +
                    "\",\"arguments\":" + call->input + "}}";
  }
  if (!content.any && calls.json.empty()) return;
  messages.next() += "{\"role\":\"assistant\"," + content.json();
  if (!calls.json.empty()) messages.json += ",\"tool_calls\":[" + calls.json + "]";
  messages.json += "}";
}

std::string messages_of(const request::Asked& asked) {
  List messages;
  Joined system;
  for (const std::string& text : asked.system) system.add(text);
  if (!system.text.empty()) messages.next() += "{\"role\":\"system\",\"content\":\"" + system.text + "\"}";
  Names names;
  for (const request::Turn& turn : asked.turns) {
    switch (turn.role) {
      case request::Role::user:
        append_user(turn, names, messages);
        break;
      case request::Role::assistant:
        append_assistant(turn, names, messages);
        break;
      case request::Role::system:
        messages.next() += "{\"role\":\"system\",\"content\":\"" + request::text_of(turn) + "\"}";
        break;
    }
  }
  return messages.json;
}

std::string tools_of(const request::Asked& asked) {
  List tools;
  if (asked.choice == request::Choice::none) return {};
  for (const request::Tool& tool : asked.tools) {
    tools.next() += "{\"type\":\"function\",\"function\":{\"name\":\"" + tool.name + "\"";
    if (tool.description) tools.json += ",\"description\":\"" + *tool.description + "\"";
    tools.json += ",\"parameters\":" + tool.schema + "}}";
  }
  return tools.json;
}

std::string options_of(const request::Asked& asked) {
  List options;
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) options.next().append("\"").append(name).append("\":").append(value);
  };
  add("num_predict", asked.max_tokens);
  add("temperature", asked.temperature);
  add("top_p", asked.top_p);
  List stop;
  for (const std::string& text : asked.stop) stop.next() += "\"" + text + "\"";
  if (!stop.json.empty()) add("stop", "[" + stop.json + "]");
  return options.json;
}

}  // namespace

std::string write_ollama_request(const request::Asked& asked, const Knobs&) {
  std::string body = "{\"model\":\"" + asked.model + "\",\"messages\":[" + messages_of(asked) + "]";
  if (const std::string tools = tools_of(asked); !tools.empty()) body += ",\"tools\":[" + tools + "]";
  if (const std::string options = options_of(asked); !options.empty())
    body += ",\"options\":{" + options + "}";
  if (asked.format.json)
    body += ",\"format\":" + (asked.format.name.empty() ? "\"json\"" : asked.format.schema);
  return body + ",\"stream\":true}";
}

}  // namespace splitproof::proxy::dialect
