#include "proxy/dialect/google_gemini/calls.hpp"

#include <utility>

#include "proxy/dialect/google_gemini/flag.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::proxy::dialect {
namespace {

using wire::Json;
using wire::JsonKind;

bool continues(const Json& call) { return is_true(call["willContinue"]); }

std::string text_of(const Json& value) { return wire::whole(value.text()); }

// Returns the bytes of arguments, or the characters of arguments in a text.
std::string arguments_of(const Json& args) {
  if (args.is(JsonKind::string)) return text_of(args);
  return !args || args.is(JsonKind::null) ? "{}" : std::string(args.raw());
}

}  // namespace

void GeminiCalls::read(const Json& call, std::vector<turn::Event>& events) {
  const bool piece = continues(call) || call["partialArgs"].is(JsonKind::array);
  if (!open_ && !piece)
    return add(text_of(call["id"]), text_of(call["name"]), arguments_of(call["args"]), events);
  if (const char* problem = take_piece(call)) {
    events.push_back(turn::Failure{turn::ErrorKind::api, problem});
    return;
  }
  if (continues(call)) return;
  Pieces ended = *std::exchange(open_, std::nullopt);
  add(std::move(ended.id), std::move(ended.name),
      ended.args.empty() ? ended.arguments.json() : std::move(ended.args), events);
}

// Adds a piece to the open call. Returns a problem, or null.
const char* GeminiCalls::take_piece(const Json& call) {
  if (!open_) open_.emplace(Pieces{{}, {}, {}, GeminiArguments(limits_.json_depth)});
  const std::string name = text_of(call["name"]);
  if (!name.empty() && !open_->name.empty())
    return "the upstream began a tool call before it ended another one";
  if (open_->name.empty()) open_->name = name;
  if (open_->id.empty()) open_->id = text_of(call["id"]);
  if (const Json args = call["args"]; args && !args.empty()) open_->args = arguments_of(args);
  for (Json value = call["partialArgs"].first(); value; value = value.next()) {
    if (!open_->arguments.take(value))
      return "the upstream sent a piece of arguments that fits no place in them";
  }
  if (!open_->args.empty() && !open_->arguments.empty())
    return "the upstream sent the arguments of a tool call whole and in pieces";
  return cost() > limits_.call_bytes ? kLargeCalls : nullptr;
}

std::size_t GeminiCalls::cost() const {
  if (!open_) return 0;
  return open_->id.size() + open_->name.size() + open_->args.size() + open_->arguments.cost();
}

// Ignores an empty part without an open call.
void GeminiCalls::add(std::string id, std::string name, std::string arguments,
                      std::vector<turn::Event>& events) {
  if (id.empty() && name.empty() && arguments == "{}") return;
  if (calls_ > limits_.calls) return;  // The ledger fails at one call beyond the limit.
  const bool no_id = id.empty();
  events.push_back(
      turn::CallPiece{calls_, calls_, std::move(id), std::move(name), std::move(arguments), no_id});
  ++calls_;
}

}  // namespace splitproof::proxy::dialect
