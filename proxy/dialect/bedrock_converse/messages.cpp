#include "proxy/dialect/bedrock_converse/messages.hpp"

#include <cstddef>
#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "proxy/dialect/bedrock_converse/call_id.hpp"
#include "proxy/request/json_parts.hpp"
#include "proxy/request/refuse.hpp"
#include "proxy/request/told_result.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::Asked;
using request::Block;
using request::Call;
using request::Image;
using request::List;
using request::Result;
using request::Role;
using request::Text;
using request::Turn;

bool is_blank(const std::string& text) {
  return request::plain(text).find_first_not_of(" \t\r\n") == std::string::npos;
}

void append_text(const std::string& text, List& blocks) {
  if (!is_blank(text)) blocks.next().append("{\"text\":\"").append(text).append("\"}");
}

void append_image(const Image& image, List& blocks) {
  if (!image.url.empty())
    request::refuse("an image by its URL", "has no counterpart in the upstream's protocol");
  const std::string_view type = image.media_type;
  const std::string_view format = type.substr(type.find('/') + 1);
  blocks.next().append(R"({"image":{"format":")").append(format == "jpg" ? "jpeg" : format);
  blocks.json.append(R"(","source":{"bytes":")").append(image.data).append("\"}}}");
}

void append_call(const Call& call, List& blocks) {
  blocks.next().append(R"({"toolUse":{"toolUseId":")").append(converse_call_id(request::plain(call.id)));
  blocks.json.append(R"(","name":")")
      .append(call.name)
      .append(R"(","input":)")
      .append(call.input)
      .append("}}");
}

void append_result(const Result& result, List& blocks) {
  List content;
  for (const auto& part : result.content) {
    if (const auto* text = std::get_if<Text>(&part)) append_text(text->text, content);
    if (const auto* image = std::get_if<Image>(&part)) append_image(*image, content);
  }
  blocks.next()
      .append(R"({"toolResult":{"toolUseId":")")
      .append(converse_call_id(request::plain(result.call)));
  blocks.json.append("\",\"content\":[").append(content.json);
  blocks.json += result.error ? R"(],"status":"error"}})" : "]}}";
}

// Joins consecutive turns of one side.
std::vector<Turn> by_sides(const Asked& asked) {
  std::vector<Turn> sides;
  for (const Turn& turn : asked.turns) {
    if (turn.role == Role::system || turn.blocks.empty()) continue;
    if (sides.empty() || sides.back().role != turn.role) sides.push_back({turn.role, {}});
    sides.back().blocks.insert(sides.back().blocks.end(), turn.blocks.begin(), turn.blocks.end());
  }
  return sides;
}

// Returns the ids of calls of `side` with results in `next`.
std::set<std::string> pairs_of(const Turn& side, const Turn& next) {
  std::set<std::string> calls;
  std::set<std::string> both;
  for (const Block& block : side.blocks) {
    if (const auto* call = std::get_if<Call>(&block)) calls.insert(call->id);
  }
  for (const Block& block : next.blocks) {
    const auto* result = std::get_if<Result>(&block);
    if (result != nullptr && calls.count(result->call) > 0) both.insert(result->call);
  }
  return both;
}

void append_prose(const Turn& side, List& blocks) {
  for (const Block& block : side.blocks) {
    if (const auto* text = std::get_if<Text>(&block)) append_text(text->text, blocks);
    if (const auto* image = std::get_if<Image>(&block)) append_image(*image, blocks);
  }
}

std::string user_content(const Turn& side, std::set<std::string> paired) {
  List blocks;
  std::vector<const Result*> others;
  for (const Block& block : side.blocks) {
    const auto* result = std::get_if<Result>(&block);
    if (result == nullptr) continue;
    if (paired.erase(result->call) > 0)
      append_result(*result, blocks);
    else
      others.push_back(result);
  }
  for (const Result* result : others) {
    std::vector<Block> told = {Text{request::told(*result)}};
    request::add_images(*result, told);
    append_prose({Role::user, std::move(told)}, blocks);
  }
  append_prose(side, blocks);
  return blocks.json;
}

std::string assistant_content(const Turn& side, const std::set<std::string>& paired) {
  List blocks;
  append_prose(side, blocks);
  for (const Block& block : side.blocks) {
    const auto* call = std::get_if<Call>(&block);
    if (call != nullptr && paired.count(call->id) > 0) append_call(*call, blocks);
  }
  return blocks.json;
}

// The messages that are being written. Content of the same side as the last message continues it.
struct Messages {
  List json;
  Role last = Role::system;
  List content;

  void add(Role role, const std::string& blocks) {
    if (blocks.empty()) return;
    if (role != last) end();
    last = role;
    content.next() += blocks;
  }

  void end() {
    if (content.json.empty()) return;
    json.next() +=
        last == Role::user ? R"({"role":"user","content":[)" : R"({"role":"assistant","content":[)";
    json.json.append(content.json).append("]}");
    content.json.clear();
  }
};

}  // namespace

std::string converse_system(const Asked& asked) {
  List system;
  for (const std::string& text : asked.system) append_text(text, system);
  for (const Turn& turn : asked.turns) {
    if (turn.role == Role::system) append_text(request::text_of(turn), system);
  }
  return system.json;
}

std::string converse_messages(const Asked& asked) {
  const std::vector<Turn> sides = by_sides(asked);
  Messages messages;
  std::set<std::string> paired;
  for (std::size_t at = 0; at < sides.size(); ++at) {
    if (sides[at].role == Role::user) {
      messages.add(Role::user, user_content(sides[at], std::exchange(paired, {})));
      continue;
    }
    if (at + 1 < sides.size()) paired = pairs_of(sides[at], sides[at + 1]);
    messages.add(Role::assistant, assistant_content(sides[at], paired));
  }
  messages.end();
  return messages.json.json;
}

}  // namespace splitproof::proxy::dialect
