#include "proxy/dialect/kiro_eventstream/history.hpp"

#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "proxy/request/refuse.hpp"
#include "proxy/request/told_result.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::Asked;
using request::Block;
using request::Call;
using request::Image;
using request::Result;
using request::Role;
using request::Text;
using request::Turn;

// Joins consecutive turns of one side. The system counts as the user.
std::vector<Turn> by_sides(const Asked& asked) {
  std::vector<Turn> sides;
  if (!asked.system.empty()) {
    sides.push_back({Role::user, {}});
    for (const std::string& text : asked.system) sides.back().blocks.emplace_back(Text{text});
  }
  for (const Turn& turn : asked.turns) {
    const Role role = turn.role == Role::assistant ? Role::assistant : Role::user;
    if (sides.empty() || sides.back().role != role) sides.push_back({role, {}});
    sides.back().blocks.insert(sides.back().blocks.end(), turn.blocks.begin(), turn.blocks.end());
  }
  return sides;
}

// Returns the ids of calls of `turn` with results in `next`.
std::set<std::string> pairs_of(const Turn& turn, const Turn& next) {
  std::set<std::string> calls;
  std::set<std::string> both;
  for (const Block& block : turn.blocks) {
    if (const auto* call = std::get_if<Call>(&block)) calls.insert(call->id);
  }
  for (const Block& block : next.blocks) {
    const auto* result = std::get_if<Result>(&block);
    if (result != nullptr && calls.count(result->call) > 0) both.insert(result->call);
  }
  return both;
}

void add_image(const Image& image, KiroUser& user) {
  if (!image.url.empty())
    request::refuse("an image by its URL", "has no counterpart in the upstream's protocol");
  const std::string_view type = image.media_type;
  const std::string_view format = type.substr(type.find('/') + 1);
  user.images.next().append(R"({"format":")").append(format == "jpg" ? "jpeg" : format);
  user.images.json.append(R"(","source":{"bytes":")").append(image.data).append("\"}}");
}

// Puts the images of a result next to it: a result has no place for them.
void add_images(const Result& result, KiroUser& user) {
  for (const auto& part : result.content) {
    if (const auto* image = std::get_if<Image>(&part)) add_image(*image, user);
  }
}

void add_result(const Result& result, KiroUser& user) {
  add_images(result, user);
  user.results.next().append(R"({"toolUseId":")").append(result.call);
  user.results.json.append(R"(","content":[{"text":")")
      .append(request::text_of(result))
      .append(R"("}],"status":)");
  user.results.json += result.error ? "\"error\"}" : "\"success\"}";
}

void tell_result(const Result& result, KiroUser& user) {
  add_images(result, user);
  user.text.add(request::told(result));
}

KiroUser user_of(const Turn& turn, std::set<std::string> paired) {
  KiroUser user;
  for (const Block& block : turn.blocks) {
    const auto* result = std::get_if<Result>(&block);
    if (result == nullptr) continue;
    if (paired.erase(result->call) > 0)
      add_result(*result, user);
    else
      tell_result(*result, user);
  }
  for (const Block& block : turn.blocks) {
    if (const auto* text = std::get_if<Text>(&block)) user.text.add(text->text);
    if (const auto* image = std::get_if<Image>(&block)) add_image(*image, user);
  }
  return user;
}

KiroAssistant assistant_of(const Turn& turn, const std::set<std::string>& paired) {
  KiroAssistant assistant;
  for (const Block& block : turn.blocks) {
    if (const auto* text = std::get_if<Text>(&block)) assistant.text.add(text->text);
    const auto* call = std::get_if<Call>(&block);
    if (call == nullptr || paired.count(call->id) == 0) continue;
    assistant.calls.next().append(R"({"toolUseId":")").append(call->id);
    assistant.calls.json.append(R"(","name":")").append(call->name).append(R"(","input":)");
    assistant.calls.json.append(call->input).append("}");
  }
  return assistant;
}

void append(std::string& json, const std::string& more) {
  if (!json.empty() && !more.empty()) json += ",";
  json += more;
}

KiroHistory history_of(const Asked& asked) {
  const std::vector<Turn> sides = by_sides(asked);
  if (sides.empty() || sides.front().role != Role::user)
    request::refuse("messages", "the upstream's protocol needs a message of the user before any answer");
  if (sides.back().role != Role::user)
    request::refuse("messages", "the upstream's protocol needs a message of the user at the end");
  KiroHistory history;
  std::set<std::string> paired;
  for (std::size_t at = 0; at < sides.size(); ++at) {
    if (sides[at].role == Role::user) {
      KiroUser user = user_of(sides[at], std::exchange(paired, {}));
      history.current.text.add(user.text.text);
      append(history.current.images.json, user.images.json);
      append(history.current.results.json, user.results.json);
      continue;
    }
    if (kiro_sends_tools(asked)) paired = pairs_of(sides[at], sides[at + 1]);
    KiroAssistant assistant = assistant_of(sides[at], paired);
    if (assistant.text.text.empty() && assistant.calls.json.empty()) continue;
    history.past.push_back({std::exchange(history.current, {}), std::move(assistant)});
  }
  return history;
}

}  // namespace

tl::expected<KiroHistory, request::Refusal> kiro_history(const Asked& asked) {
  try {
    return history_of(asked);
  } catch (request::Refusal& refusal) {
    return tl::make_unexpected(std::move(refusal));
  }
}

}  // namespace splitproof::proxy::dialect
