#include <utility>
#include <vector>

#include "proxy/dialect/openai_responses/request_parts.hpp"
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

Block read_image(const Json& part, const std::string& field) {
  if (!given(part["image_url"])) refuse(field, "is an image that is not in the request");
  return request::image_of(text_in(part, "image_url", field));
}

// Reads texts and images of a message or a result.
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
    if (type == "input_text" || type == "output_text" || type == "text" || type == "summary_text") {
      blocks.emplace_back(Text{std::string(text_in(part, "text", part_field))});
    } else if (type == "refusal") {
      blocks.emplace_back(Text{std::string(text_in(part, "refusal", part_field))});
    } else if (type == "input_image") {
      blocks.push_back(read_image(part, part_field));
    } else {
      refuse(part_field + ".type", "is a kind of content that cannot be translated");
    }
  }
  return blocks;
}

// Reads content without images.
std::vector<Text> read_texts(const Json& content, const std::string& field) {
  std::vector<Text> texts;
  for (Block& block : read_content(content, field)) {
    auto* text = std::get_if<Text>(&block);
    if (text == nullptr) refuse(field, "holds an image, which only a user can send");
    texts.push_back(std::move(*text));
  }
  return texts;
}

void read_message(const Json& item, const std::string& field, Conversation& conversation) {
  const std::string role = need_string(item["role"], field + ".role").text();
  const std::string content_field = field + ".content";
  const Json content = item["content"];
  if (role == "user") {
    conversation.add_user(read_content(content, content_field));
  } else if (role == "assistant") {
    for (Text& text : read_texts(content, content_field)) conversation.add_assistant(std::move(text));
  } else if (role == "system" || role == "developer") {
    conversation.add_system(read_texts(content, content_field));
  } else {
    refuse(field + ".role", "has to be user, assistant, system or developer");
  }
}

request::Call read_call(const Json& item, const std::string& field) {
  request::Call call;
  call.id = text_in(item, "call_id", field);
  const Json space = item["namespace"];
  call.name = name_in(given(space) ? text_in(item, "namespace", field) : std::string_view(),
                      text_in(item, "name", field));
  return call;
}

request::Result read_result(const Json& item, const std::string& field) {
  request::Result result;
  result.call = text_in(item, "call_id", field);
  for (Block& block : read_content(item["output"], field + ".output")) {
    std::visit(
        [&](auto& said) {
          using Said = std::decay_t<decltype(said)>;
          if constexpr (std::is_same_v<Said, Text> || std::is_same_v<Said, request::Image>)
            result.content.emplace_back(std::move(said));
        },
        block);
  }
  return result;
}

// Skips references to this proxy's own reasoning (ResponsesWriter). Clients send them because they believe that it is
// stored. Complete reasoning items are skipped too.
void read_reference(const Json& item, const std::string& field) {
  constexpr std::string_view kReasoning = "rs_";
  constexpr std::size_t kSeed = 16;
  const std::string id = need_string(item["id"], field + ".id").text();
  const auto all = [](std::string_view text, std::string_view digits) {
    return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
  };
  const std::size_t end = kReasoning.size() + kSeed;
  const bool own = id.starts_with(kReasoning) && id.size() > end && id[end] == '_' &&
                   all(std::string_view(id).substr(kReasoning.size(), kSeed), "0123456789abcdef") &&
                   all(std::string_view(id).substr(end + 1), "0123456789");
  if (!own)
    refuse(field + ".id",
           "names an item, and none is kept here: send it whole, as clients do with store: false");
}

void read_item(const Json& item, const std::string& field, std::size_t depth, Conversation& conversation,
               request::DeclaredTools& declared) {
  if (!item.is(JsonKind::object)) refuse(field, "has to be an object");
  const std::string type =
      given(item["type"]) ? need_string(item["type"], field + ".type").text() : "message";
  if (type == "message") {
    read_message(item, field, conversation);
  } else if (type == "function_call") {
    request::Call call = read_call(item, field);
    call.input = request::object_of(std::string(text_in(item, "arguments", field)), depth);
    conversation.add_assistant(std::move(call));
  } else if (type == "custom_tool_call") {
    request::Call call = read_call(item, field);
    call.input = request::custom_input(text_in(item, "input", field));
    conversation.add_assistant(std::move(call));
  } else if (type == "function_call_output" || type == "custom_tool_call_output") {
    conversation.add_result(read_result(item, field));
  } else if (type == "additional_tools") {
    read_tools(item["tools"], field + ".tools", {}, declared);
  } else if (type == "item_reference") {
    read_reference(item, field);
  } else if (type != "reasoning") {
    refuse(field + ".type", "is a kind of item that cannot be translated");
  }
}

}  // namespace

void read_input(const Json& input, const Limits& limits, Conversation& conversation,
                request::DeclaredTools& declared) {
  if (input.is(JsonKind::string)) {
    conversation.add_user({Text{std::string(inner(input))}});
    return;
  }
  if (!input.is(JsonKind::array))
    refuse("input", input ? "has to be a string or a list of items" : "field required");
  request::need_at_most(limits.messages, input, "input", "items", "messages");
  std::size_t place = 0;
  for (Json item = input.first(); item; item = item.next(), ++place)
    read_item(item, at("input", place), limits.json_depth, conversation, declared);
}

}  // namespace splitproof::proxy::dialect
