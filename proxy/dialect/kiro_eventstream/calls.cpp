#include "proxy/dialect/kiro_eventstream/calls.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "proxy/turn/json_progress.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::proxy::dialect {
namespace {

using wire::Json;
using wire::JsonKind;

// Returns the first value among the names that Kiro's clients accept for one member.
std::string text_of(const Json& event, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (std::string text = wire::whole(event[name].text()); !text.empty()) return text;
  }
  return {};
}

bool stops(const Json& event) {
  const auto says = [&](const char* name) {
    const Json value = event[name];
    return value.is(JsonKind::boolean) && value.raw() == "true";
  };
  return says("stop") || says("isStop") || says("done");
}

// Returns arguments: a text is a piece of them, an object is all of them.
std::string piece_of(const Json& input) {
  if (input.is(JsonKind::string)) return input.text();
  return input.is(JsonKind::object) ? std::string(input.raw()) : std::string();
}

bool blank(const std::string& text) { return text.find_first_not_of(turn::kBlanks) == std::string::npos; }

}  // namespace

void KiroCalls::read(const Json& event, std::vector<turn::Event>& events) {
  const std::string id = text_of(event, {"toolUseId", "toolUseID", "tool_use_id", "id"});
  const std::string name = text_of(event, {"name", "toolName", "tool_name"});
  std::string piece = piece_of(event["input"]);
  auto number = call_of(id, name);
  if (!number) {
    if (id.empty() && name.empty() && piece.empty()) return;
    if (calls_.size() > limits_.calls) return;  // one more than the ledger accepts
    number = calls_.size();
    calls_.emplace_back();
  }
  Call& call = calls_[*number];
  if (call.stopped) return;
  if (call.name.empty()) call.name = name;
  if (call.id.empty() && !id.empty()) {
    call.id = id;
    by_id_[id] = *number;
  }
  call.argued |= !blank(piece);
  call.stopped = stops(event);
  // Otherwise the call would look incomplete until the end of the answer.
  if (call.stopped && !call.argued && !call.name.empty()) piece += "{}";
  events.push_back(turn::CallPiece{*number, *number, id, name, std::move(piece)});
}

bool KiroCalls::stopped() const {
  return std::all_of(calls_.begin(), calls_.end(), [](const Call& call) { return call.stopped; });
}

std::optional<std::size_t> KiroCalls::call_of(const std::string& id, const std::string& name) const {
  if (const auto known = by_id_.find(id); known != by_id_.end()) return known->second;
  if (calls_.empty() || calls_.back().stopped) return std::nullopt;
  const Call& last = calls_.back();
  const bool named_otherwise = !name.empty() && !last.name.empty() && name != last.name;
  if (named_otherwise || (!id.empty() && !last.id.empty())) return std::nullopt;
  return calls_.size() - 1;
}

}  // namespace splitproof::proxy::dialect
