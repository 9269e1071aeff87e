#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <variant>

#include "proxy/dialect/anthropic_messages/call_id.hpp"
#include "proxy/dialect/anthropic_messages/request_parts.hpp"
#include "proxy/request/refuse.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::at;
using request::given;
using request::inner;
using request::need_string;
using request::refuse;
using request::Text;
using wire::Json;
using wire::JsonKind;

std::string type_of(const Json& block, const std::string& field) {
  if (!block.is(JsonKind::object)) refuse(field, "has to be an object");
  return need_string(block["type"], field + ".type").text();
}

[[noreturn]] void refuse_block(const std::string& field) {
  refuse(field + ".type", "is a kind of content that cannot be translated");
}

std::string text_of(const Json& block, const std::string& field) {
  return std::string(inner(need_string(block["text"], field + ".text")));
}

// Returns the provider's id of a call, escaped.
std::string call_id_of(const Json& id) {
  const std::string plain = id.text();
  const std::string known = provider_call_id(plain);
  if (known == plain) return std::string(inner(id));
  const std::string quoted = wire::quoted(known);
  return quoted.substr(1, quoted.size() - 2);
}

request::Image read_image(const Json& block, const std::string& field) {
  const Json source = block["source"];
  const std::string type = type_of(source, field + ".source");
  request::Image image;
  if (type == "base64") {
    image.media_type = inner(need_string(source["media_type"], field + ".source.media_type"));
    image.data = inner(need_string(source["data"], field + ".source.data"));
  } else if (type == "url") {
    image.url = inner(need_string(source["url"], field + ".source.url"));
  } else {
    refuse(field + ".source.type", "has to be base64 or url");
  }
  return image;
}

request::Result read_result(const Json& block, const std::string& field) {
  request::Result result;
  result.call = call_id_of(need_string(block["tool_use_id"], field + ".tool_use_id"));
  result.error = block["is_error"].raw() == "true";
  const Json content = block["content"];
  if (content.is(JsonKind::string)) {
    result.content.push_back(Text{std::string(inner(content))});
  } else if (content.is(JsonKind::array)) {
    std::size_t place = 0;
    for (Json part = content.first(); part; part = part.next(), ++place) {
      const std::string part_field = at(field + ".content", place);
      const std::string type = type_of(part, part_field);
      if (type == "text") {
        result.content.push_back(Text{text_of(part, part_field)});
      } else if (type == "image") {
        result.content.push_back(read_image(part, part_field));
      } else {
        refuse_block(part_field);
      }
    }
  } else if (given(content)) {
    refuse(field + ".content", "has to be a string or a list of blocks");
  }
  return result;
}

request::Call read_call(const Json& block, const std::string& field) {
  request::Call call;
  call.id = call_id_of(need_string(block["id"], field + ".id"));
  call.name = inner(need_string(block["name"], field + ".name"));
  const Json input = block["input"];
  if (!input.is(JsonKind::object)) refuse(field + ".input", "has to be an object");
  call.input = input.raw();
  return call;
}

void read_block(const Json& block, const std::string& field, request::Turn& turn) {
  const bool user = turn.role == request::Role::user;
  const bool assistant = turn.role == request::Role::assistant;
  const std::string type = type_of(block, field);
  if (type == "text") {
    std::string text = text_of(block, field);
    if (!text.empty()) turn.blocks.push_back(Text{std::move(text)});
  } else if (user && type == "tool_result") {
    turn.blocks.push_back(read_result(block, field));
  } else if (user && type == "image") {
    turn.blocks.push_back(read_image(block, field));
  } else if (assistant && type == "tool_use") {
    turn.blocks.push_back(read_call(block, field));
  } else if (!assistant || (type != "thinking" && type != "redacted_thinking")) {
    refuse_block(field);
  }
}

request::Turn read_turn(const Json& message, const std::string& field) {
  if (!message.is(JsonKind::object)) refuse(field, "has to be an object");
  const std::string role = need_string(message["role"], field + ".role").text();
  request::Turn turn;
  if (role == "assistant") {
    turn.role = request::Role::assistant;
  } else if (role == "system") {
    turn.role = request::Role::system;
  } else if (role != "user") {
    refuse(field + ".role", "has to be user, assistant or system");
  }
  const Json content = message["content"];
  const std::string content_field = field + ".content";
  if (content.is(JsonKind::string)) {
    turn.blocks.push_back(Text{std::string(inner(content))});
    return turn;
  }
  if (!content.is(JsonKind::array))
    refuse(content_field, content ? "has to be a string or a list of blocks" : "field required");
  std::size_t place = 0;
  for (Json block = content.first(); block; block = block.next(), ++place)
    read_block(block, at(content_field, place), turn);
  return turn;
}

bool is_result(const request::Block& block) { return std::holds_alternative<request::Result>(block); }

// Moves results together. The user may write turns between results, but other protocols need all results right after
// their calls.
std::vector<request::Turn> with_results_together(std::vector<request::Turn> turns) {
  std::vector<request::Turn> together;
  std::size_t first = 0;  // of the current run of user turns
  for (request::Turn& turn : turns) {
    const bool goes_on =
        turn.role == request::Role::user && !together.empty() && together.back().role == request::Role::user;
    if (!goes_on) {
      first = together.size();
      together.push_back(std::move(turn));
      continue;
    }
    const auto others = std::stable_partition(turn.blocks.begin(), turn.blocks.end(), is_result);
    const bool only_results = others == turn.blocks.end() && !turn.blocks.empty();
    std::move(turn.blocks.begin(), others, std::back_inserter(together[first].blocks));
    turn.blocks.erase(turn.blocks.begin(), others);
    if (!only_results) together.push_back(std::move(turn));
  }
  return together;
}

}  // namespace

std::vector<std::string> read_system(const Json& system) {
  std::vector<std::string> texts;
  if (system.is(JsonKind::string)) {
    texts.emplace_back(inner(system));
  } else if (system.is(JsonKind::array)) {
    std::size_t place = 0;
    for (Json block = system.first(); block; block = block.next(), ++place) {
      const std::string field = at("system", place);
      if (type_of(block, field) != "text") refuse_block(field);
      texts.push_back(text_of(block, field));
    }
  } else if (given(system)) {
    refuse("system", "has to be a string or a list of text blocks");
  }
  std::erase(texts, std::string());
  return texts;
}

std::vector<request::Turn> read_turns(const Json& messages, const Limits& limits) {
  if (!messages) refuse("messages", "field required");
  if (!messages.is(JsonKind::array) || messages.empty()) refuse("messages", "has to be a list of messages");
  request::need_at_most(limits.messages, messages, "messages", "messages", "messages");
  std::vector<request::Turn> turns;
  for (Json message = messages.first(); message; message = message.next())
    turns.push_back(read_turn(message, at("messages", turns.size())));
  return with_results_together(std::move(turns));
}

}  // namespace splitproof::proxy::dialect
