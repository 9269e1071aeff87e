#include "proxy/request/chat_messages.hpp"

#include <cstddef>

#include "proxy/request/refuse.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::request {
namespace {

using wire::Json;
using wire::JsonKind;

// Escaped text, as it stands between the quotes of a JSON string.
struct Text {
  std::string escaped;

  void add(std::string_view more) {
    if (more.empty()) return;
    if (!escaped.empty()) escaped += "\\n\\n";
    escaped += more;
  }
};

// The elements of a JSON array that is being written.
struct List {
  std::string json;

  std::string& next() {
    if (!json.empty()) json += ",";
    return json;
  }
};

std::string at(const std::string& field, std::size_t element) {
  return field + "." + std::to_string(element);
}

std::string type_of(const Json& block, const std::string& field) {
  if (!block.is(JsonKind::object)) refuse(field, "has to be an object");
  return need_string(block["type"], field + ".type").text();
}

[[noreturn]] void refuse_block(const std::string& field) {
  refuse(field + ".type", "is a kind of content that cannot be translated");
}

std::string_view text_of(const Json& block, const std::string& field) {
  return inner(need_string(block["text"], field + ".text"));
}

void append_image(const Json& image, const std::string& field, List& parts) {
  const Json source = image["source"];
  const std::string type = type_of(source, field + ".source");
  std::string url;
  if (type == "base64") {
    url.append("data:").append(inner(need_string(source["media_type"], field + ".source.media_type")));
    url.append(";base64,").append(inner(need_string(source["data"], field + ".source.data")));
  } else if (type == "url") {
    url = inner(need_string(source["url"], field + ".source.url"));
  } else {
    refuse(field + ".source.type", "has to be base64 or url");
  }
  parts.next().append("{\"type\":\"image_url\",\"image_url\":{\"url\":\"").append(url).append("\"}}");
}

void append_text(std::string_view escaped, List& parts) {
  parts.next().append("{\"type\":\"text\",\"text\":\"").append(escaped).append("\"}");
}

void append_result(const Json& block, const std::string& field, List& messages, List& parts) {
  const Json id = need_string(block["tool_use_id"], field + ".tool_use_id");
  const Json content = block["content"];
  Text text;
  if (content.is(JsonKind::string)) {
    text.add(inner(content));
  } else if (content.is(JsonKind::array)) {
    std::size_t place = 0;
    for (Json part = content.first(); part; part = part.next(), ++place) {
      const std::string part_field = at(field + ".content", place);
      const std::string type = type_of(part, part_field);
      if (type == "text") {
        text.add(text_of(part, part_field));
      } else if (type == "image") {
        append_text("Image in the result of " + std::string(inner(id)) + ":", parts);
        append_image(part, part_field, parts);
      } else {
        refuse_block(part_field);
      }
    }
  } else if (given(content)) {
    refuse(field + ".content", "has to be a string or a list of blocks");
  }
  const bool error = block["is_error"].raw() == "true";
  messages.next().append("{\"role\":\"tool\",\"tool_call_id\":").append(id.raw());
  messages.json.append(",\"content\":\"").append(error ? "Error: " : "").append(text.escaped).append("\"}");
}

void append_user(const Json& content, const std::string& field, List& messages) {
  List images;  // of results
  List parts;
  std::size_t texts = 0;
  std::string_view only_text;
  std::size_t place = 0;
  for (Json block = content.first(); block; block = block.next(), ++place) {
    const std::string block_field = at(field, place);
    const std::string type = type_of(block, block_field);
    if (type == "tool_result") {
      append_result(block, block_field, messages, images);
    } else if (type == "text") {
      const std::string_view text = text_of(block, block_field);
      if (text.empty()) continue;
      append_text(text, parts);
      only_text = text;
      ++texts;
    } else if (type == "image") {
      append_image(block, block_field, parts);
      texts += 2;  // a string will not do
    } else {
      refuse_block(block_field);
    }
  }
  if (images.json.empty() && parts.json.empty()) return;
  messages.next() += "{\"role\":\"user\",\"content\":";
  if (images.json.empty() && texts == 1) {
    messages.json.append("\"").append(only_text).append("\"}");
    return;
  }
  if (!parts.json.empty()) images.next() += parts.json;
  messages.json.append("[").append(images.json).append("]}");
}

void append_call(const Json& block, const std::string& field, List& calls) {
  const Json id = need_string(block["id"], field + ".id");
  const Json name = need_string(block["name"], field + ".name");
  const Json input = block["input"];
  if (!input.is(JsonKind::object)) refuse(field + ".input", "has to be an object");
  calls.next().append("{\"id\":").append(id.raw()).append(",\"type\":\"function\",\"function\":{\"name\":");
  calls.json.append(name.raw()).append(",\"arguments\":");
  wire::append_quoted(calls.json, input.raw());
  calls.json += "}}";
}

void append_assistant(const Json& content, const std::string& field, List& messages) {
  Text text;
  List calls;
  std::size_t place = 0;
  for (Json block = content.first(); block; block = block.next(), ++place) {
    const std::string block_field = at(field, place);
    const std::string type = type_of(block, block_field);
    if (type == "text") {
      text.add(text_of(block, block_field));
    } else if (type == "tool_use") {
      append_call(block, block_field, calls);
    } else if (type != "thinking" && type != "redacted_thinking") {
      refuse_block(block_field);
    }
  }
  if (text.escaped.empty() && calls.json.empty()) return;
  messages.next() += "{\"role\":\"assistant\",\"content\":";
  messages.json += text.escaped.empty() ? "null" : "\"" + text.escaped + "\"";
  if (!calls.json.empty()) messages.json.append(",\"tool_calls\":[").append(calls.json).append("]");
  messages.json += "}";
}

void append_system(const Json& system, List& messages) {
  if (!given(system)) return;
  Text text;
  if (system.is(JsonKind::string)) {
    text.add(inner(system));
  } else if (system.is(JsonKind::array)) {
    std::size_t place = 0;
    for (Json block = system.first(); block; block = block.next(), ++place) {
      const std::string field = at("system", place);
      if (type_of(block, field) != "text") refuse_block(field);
      text.add(text_of(block, field));
    }
  } else {
    refuse("system", "has to be a string or a list of text blocks");
  }
  if (text.escaped.empty()) return;
  messages.next().append("{\"role\":\"system\",\"content\":\"").append(text.escaped).append("\"}");
}

void append_turn(const Json& message, const std::string& field, List& messages) {
  if (!message.is(JsonKind::object)) refuse(field, "has to be an object");
  const std::string role = need_string(message["role"], field + ".role").text();
  if (role != "user" && role != "assistant") refuse(field + ".role", "has to be user or assistant");
  const Json content = message["content"];
  const std::string content_field = field + ".content";
  if (content.is(JsonKind::string)) {
    messages.next().append("{\"role\":\"").append(role).append("\",\"content\":").append(content.raw());
    messages.json += "}";
  } else if (!content.is(JsonKind::array)) {
    refuse(content_field, content ? "has to be a string or a list of blocks" : "field required");
  } else if (role == "user") {
    append_user(content, content_field, messages);
  } else {
    append_assistant(content, content_field, messages);
  }
}

}  // namespace

void append_messages(const Json& system, const Json& messages, std::string& body) {
  if (!messages) refuse("messages", "field required");
  if (!messages.is(JsonKind::array) || messages.empty()) refuse("messages", "has to be a list of messages");
  List list;
  append_system(system, list);
  std::size_t place = 0;
  for (Json message = messages.first(); message; message = message.next(), ++place)
    append_turn(message, at("messages", place), list);
  body.append(",\"messages\":[").append(list.json).append("]");
}

}  // namespace splitproof::request
