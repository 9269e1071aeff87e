#include <string>
#include <utility>
#include <vector>

#include "proxy/dialect/openai_chat/client_request_parts.hpp"
#include "proxy/request/refuse.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::at;
using request::Block;
using request::Conversation;
using request::given;
using request::inner;
using request::need_string;
using request::refuse;
using request::Text;
using request::text_in;
using wire::Json;
using wire::JsonKind;

// Reads texts and images.
std::vector<Block> read_content(const Json& content, const std::string& field) {
  std::vector<Block> blocks;
  if (content.is(JsonKind::string)) {
    blocks.emplace_back(Text{std::string(inner(content))});
    return blocks;
  }
  if (!content.is(JsonKind::array))
    refuse(field, content ? "has to be a string or a list of parts" : "field required");
  std::size_t place = 0;
  for (Json part = content.first(); part; part = part.next(), ++place) {
    const std::string part_field = at(field, place);
    const std::string type = need_string(part["type"], part_field + ".type").text();
    if (type == "text") {
      blocks.emplace_back(Text{std::string(text_in(part, "text", part_field))});
    } else if (type == "refusal") {
      blocks.emplace_back(Text{std::string(text_in(part, "refusal", part_field))});
    } else if (type == "image_url") {
      blocks.emplace_back(request::image_of(text_in(part["image_url"], "url", part_field + ".image_url")));
    } else {
      refuse(part_field + ".type", "is a kind of content that cannot be translated");
    }
  }
  return blocks;
}

std::vector<Text> read_texts(const Json& content, const std::string& field) {
  std::vector<Text> texts;
  for (Block& block : read_content(content, field)) {
    auto* text = std::get_if<Text>(&block);
    if (text == nullptr) refuse(field, "holds an image, which only a user can send");
    texts.push_back(std::move(*text));
  }
  return texts;
}

request::Call read_call(const Json& call, const std::string& field, std::size_t depth) {
  request::Call read;
  read.id = text_in(call, "id", field);
  const bool custom = call["type"].text() == "custom";
  const std::string about_field = field + (custom ? ".custom" : ".function");
  const Json about = call[custom ? "custom" : "function"];
  read.name = text_in(about, "name", about_field);
  read.input = custom ? request::custom_input(text_in(about, "input", about_field))
                      : request::object_of(std::string(text_in(about, "arguments", about_field)), depth);
  return read;
}

void read_assistant(const Json& message, const std::string& field, std::size_t depth,
                    Conversation& conversation) {
  if (given(message["function_call"]))
    refuse(field + ".function_call", "is no longer translated: use tool_calls");
  for (const char* member : {"content", "refusal"}) {
    if (!given(message[member])) continue;
    for (Text& text : read_texts(message[member], field + "." + member))
      conversation.add_assistant(std::move(text));
  }
  std::size_t place = 0;
  for (Json call = message["tool_calls"].first(); call; call = call.next(), ++place)
    conversation.add_assistant(read_call(call, at(field + ".tool_calls", place), depth));
}

void read_message(const Json& message, const std::string& field, std::size_t depth,
                  Conversation& conversation) {
  if (!message.is(JsonKind::object)) refuse(field, "has to be an object");
  const std::string role = need_string(message["role"], field + ".role").text();
  const std::string content_field = field + ".content";
  const Json content = message["content"];
  if (role == "user") {
    conversation.add_user(read_content(content, content_field));
  } else if (role == "assistant") {
    read_assistant(message, field, depth, conversation);
  } else if (role == "system" || role == "developer") {
    conversation.add_system(read_texts(content, content_field));
  } else if (role == "tool") {
    request::Result result;
    result.call = text_in(message, "tool_call_id", field);
    for (Text& text : read_texts(content, content_field)) result.content.emplace_back(std::move(text));
    conversation.add_result(std::move(result));
  } else {
    refuse(field + ".role", "has to be user, assistant, tool, system or developer");
  }
}

}  // namespace

void read_chat_messages(const Json& messages, const Limits& limits, Conversation& conversation) {
  if (!messages) refuse("messages", "field required");
  if (!messages.is(JsonKind::array) || messages.empty()) refuse("messages", "has to be a list of messages");
  request::need_at_most(limits.messages, messages, "messages", "messages", "messages");
  std::size_t place = 0;
  for (Json message = messages.first(); message; message = message.next(), ++place)
    read_message(message, at("messages", place), limits.json_depth, conversation);
}

}  // namespace splitproof::proxy::dialect
