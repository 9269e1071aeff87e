#include <string>
#include <utility>
#include <vector>

#include "proxy/dialect/bedrock_converse/client_request_parts.hpp"
#include "proxy/request/escaped.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::Block;
using request::given;
using request::inner;
using request::need_string;
using request::refuse;
using request::Text;
using wire::Json;
using wire::JsonKind;

// A block has one member, which is its kind.
[[noreturn]] void refuse_content(const Json& block, const std::string& field) {
  refuse(field + "." + block.first_key().text(), "is a kind of content that cannot be translated");
}

Text converse_text(const Json& block, const std::string& field) {
  return {std::string(request::text_in(block, "text", field))};
}

// Returns a guarded text, which the model reads as any other text.
Text guarded_text(const Json& block, const std::string& field) {
  const Json text = block["guardContent"]["text"];
  if (!given(text)) refuse_content(block, field);
  return converse_text(text, field + ".guardContent.text");
}

request::Image converse_image(const Json& image, const std::string& field) {
  const Json source = image["source"];
  if (given(source["s3Location"])) refuse(field + ".source", "names a file that only the provider has");
  request::Image read;
  read.media_type = std::string("image/").append(request::text_in(image, "format", field));
  read.data = request::text_in(source, "bytes", field + ".source");
  return read;
}

request::Call converse_call(const Json& call, const std::string& field) {
  request::Call read;
  read.id = request::text_in(call, "toolUseId", field);
  read.name = request::text_in(call, "name", field);
  if (!call["input"].is(JsonKind::object)) refuse(field + ".input", "has to be an object");
  read.input = call["input"].raw();
  return read;
}

request::Result converse_result(const Json& result, const std::string& field) {
  request::Result read;
  read.call = request::text_in(result, "toolUseId", field);
  read.error = result["status"].text() == "error";
  for_each_block(result["content"], field + ".content", [&](const Json& part, const std::string& place) {
    if (part["text"]) {
      read.content.emplace_back(converse_text(part, place));
    } else if (part["json"]) {
      read.content.emplace_back(Text{request::escaped(part["json"].raw())});
    } else if (part["image"]) {
      read.content.emplace_back(converse_image(part["image"], place + ".image"));
    } else {
      refuse_content(part, place);
    }
  });
  return read;
}

void read_user_block(const Json& block, const std::string& field, request::Conversation& conversation,
                     std::vector<Block>& said) {
  if (block["toolResult"]) {
    conversation.add_result(converse_result(block["toolResult"], field + ".toolResult"));
  } else if (block["text"]) {
    said.emplace_back(converse_text(block, field));
  } else if (block["image"]) {
    said.emplace_back(converse_image(block["image"], field + ".image"));
  } else {
    said.emplace_back(guarded_text(block, field));
  }
}

void read_model_block(const Json& block, const std::string& field, request::Conversation& conversation) {
  if (block["toolUse"]) {
    conversation.add_assistant(converse_call(block["toolUse"], field + ".toolUse"));
  } else if (block["text"]) {
    conversation.add_assistant(converse_text(block, field));
  } else if (!block["reasoningContent"]) {
    refuse_content(block, field);
  }
}

void read_message(const Json& message, const std::string& field, request::Conversation& conversation) {
  const std::string role = need_string(message["role"], field + ".role").text();
  const bool user = role == "user";
  if (!user && role != "assistant") refuse(field + ".role", "has to be user or assistant");
  std::vector<Block> said;
  for_each_block(message["content"], field + ".content", [&](const Json& block, const std::string& place) {
    if (user)
      read_user_block(block, place, conversation, said);
    else
      read_model_block(block, place, conversation);
  });
  if (!said.empty()) conversation.add_user(std::move(said));
}

}  // namespace

void read_converse_messages(const Json& body, const Limits& limits, request::Conversation& conversation) {
  std::vector<Text> system;
  for_each_block(body["system"], "system", [&](const Json& block, const std::string& field) {
    system.push_back(block["text"] ? converse_text(block, field) : guarded_text(block, field));
  });
  conversation.add_system(std::move(system));
  const Json messages = body["messages"];
  if (!given(messages)) refuse("messages", "field required");
  request::need_at_most(limits.messages, messages, "messages", "messages", "messages");
  for_each_block(messages, "messages", [&](const Json& message, const std::string& field) {
    read_message(message, field, conversation);
  });
}

}  // namespace splitproof::proxy::dialect
