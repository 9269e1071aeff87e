#include "proxy/dialect/google_gemini/contents.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <variant>
#include <vector>

#include "proxy/dialect/reported.hpp"
#include "proxy/request/escaped.hpp"
#include "proxy/request/json_parts.hpp"
#include "proxy/request/told_result.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::Block;
using request::Call;
using request::Image;
using request::List;
using request::Result;
using request::Role;
using request::Text;
using request::Turn;

// Most levels of a result that stays an object.
constexpr std::size_t kResponseDepth = 64;

// The calls of the conversation so far.
struct Calls {
  std::map<std::string, std::string> names;  // of tools, by the ids of calls
  std::vector<std::string> last;             // ids of the calls of the last content, in order
};

// Joins consecutive turns of one side. Texts of the system are in the system instruction.
std::vector<Turn> by_sides(const request::Asked& asked) {
  std::vector<Turn> sides;
  for (const Turn& turn : asked.turns) {
    if (turn.role == Role::system || turn.blocks.empty()) continue;
    if (sides.empty() || sides.back().role != turn.role) sides.push_back({turn.role, {}});
    sides.back().blocks.insert(sides.back().blocks.end(), turn.blocks.begin(), turn.blocks.end());
  }
  return sides;
}

void append_text(std::string_view text, List& parts) {
  parts.next().append("{\"text\":\"").append(text).append("\"}");
}

void append_image(const Image& image, List& parts) {
  const bool inlined = image.url.empty();
  parts.next().append(inlined ? "{\"inlineData\":{" : "{\"fileData\":{");
  List members;
  if (!image.media_type.empty())
    members.next().append("\"mimeType\":\"").append(image.media_type).append("\"");
  members.next()
      .append(inlined ? "\"data\":\"" : "\"fileUri\":\"")
      .append(inlined ? image.data : image.url)
      .append("\"");
  parts.json.append(members.json).append("}}");
}

// Returns the object of a result.
std::string response_of(const Result& result) {
  const std::string text = request::text_of(result);
  if (result.error) return "{\"error\":\"" + text + "\"}";
  std::string plain = request::plain(text);
  if (wire::JsonDocument(plain, kResponseDepth).root().is(wire::JsonKind::object)) return plain;
  return "{\"output\":\"" + text + "\"}";
}

void append_response(const Result& result, const std::string& name, List& parts) {
  parts.next().append("{\"functionResponse\":{\"id\":\"").append(result.call);
  parts.json.append("\",\"name\":\"").append(name).append("\",\"response\":");
  parts.json.append(response_of(result)).append("}}");
}

// Returns an id for people, not longer than any provider's.
std::string told_id(const std::string& id) {
  constexpr std::size_t kLongest = 2000;
  return id.size() <= kLongest ? id : request::escaped(shortened(request::plain(id)));
}

// The id of the call comes once, because it may be long and the images many.
void append_images(const Result& result, List& parts) {
  bool named = false;
  for (const auto& part : result.content) {
    const auto* image = std::get_if<Image>(&part);
    if (image == nullptr) continue;
    if (!named) append_text("Image in the result of " + told_id(result.call) + ":", parts);
    named = true;
    append_image(*image, parts);
  }
}

// Returns the results of a side: those of the last calls in the order of the calls, then the others.
std::vector<const Result*> results_of(const Turn& side, const Calls& calls) {
  std::map<std::string_view, const Result*> by_call;
  for (const Block& block : side.blocks) {
    if (const auto* result = std::get_if<Result>(&block)) by_call.emplace(result->call, result);
  }
  std::vector<const Result*> results;
  std::set<const Result*> taken;
  for (const std::string& id : calls.last) {
    const auto found = by_call.find(id);
    if (found != by_call.end() && taken.insert(found->second).second) results.push_back(found->second);
  }
  for (const Block& block : side.blocks) {
    const auto* result = std::get_if<Result>(&block);
    if (result != nullptr && taken.insert(result).second) results.push_back(result);
  }
  return results;
}

void append_user(const Turn& side, const Calls& calls, List& parts) {
  const std::vector<const Result*> results = results_of(side, calls);
  for (const Result* result : results) {
    if (const auto name = calls.names.find(result->call); name != calls.names.end())
      append_response(*result, name->second, parts);
  }
  for (const Result* result : results) {
    if (calls.names.count(result->call) == 0) append_text(request::told(*result), parts);
    append_images(*result, parts);
  }
  for (const Block& block : side.blocks) {
    if (const auto* text = std::get_if<Text>(&block)) append_text(text->text, parts);
    if (const auto* image = std::get_if<Image>(&block)) append_image(*image, parts);
  }
}

void append_model(const Turn& side, Calls& calls, List& parts) {
  calls.last.clear();
  for (const Block& block : side.blocks) {
    if (const auto* text = std::get_if<Text>(&block)) append_text(text->text, parts);
    if (const auto* image = std::get_if<Image>(&block)) append_image(*image, parts);
    const auto* call = std::get_if<Call>(&block);
    if (call == nullptr) continue;
    calls.names[call->id] = call->name;
    calls.last.push_back(call->id);
    parts.next().append("{\"functionCall\":{\"id\":\"").append(call->id);
    parts.json.append("\",\"name\":\"").append(call->name).append("\",\"args\":");
    parts.json.append(call->input).append("}}");
  }
}

}  // namespace

std::string gemini_contents(const request::Asked& asked) {
  List contents;
  Calls calls;
  for (const Turn& side : by_sides(asked)) {
    const bool user = side.role == Role::user;
    List parts;
    if (user)
      append_user(side, calls, parts);
    else
      append_model(side, calls, parts);
    contents.next().append(user ? "{\"role\":\"user\",\"parts\":[" : "{\"role\":\"model\",\"parts\":[");
    contents.json.append(parts.json).append("]}");
  }
  return contents.json;
}

}  // namespace splitproof::proxy::dialect
