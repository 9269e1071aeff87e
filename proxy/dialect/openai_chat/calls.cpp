#include "proxy/dialect/openai_chat/calls.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "proxy/dialect/reported.hpp"

namespace splitproof::proxy::dialect {
namespace {

// Some servers send this before the arguments.
constexpr std::string_view kPlaceholder = "{}";

bool blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

}  // namespace

std::size_t ChatCalls::match(const ChatCallMark& mark, std::size_t place, SameIndexNewId rule) {
  std::optional<std::size_t> found = find(mark, place);
  if (!found || is_another(calls_[*found], mark, rule)) {
    found = calls_.size();
    calls_.emplace_back();
  }
  Call& call = calls_[*found];
  know(*found, mark);
  if (call.name.empty()) call.name = mark.name;
  if (place >= places_.size()) places_.resize(place + 1, kNoCall);
  places_[place] = *found;
  return *found;
}

std::vector<std::string> ChatCalls::take_arguments(std::size_t number, const ChatCallMark& mark) {
  Call& call = calls_[number];
  const bool is_marked = mark.index || !mark.id.empty();
  if (is_marked && call.progress.complete() && call.arguments.is(mark.arguments)) return {std::string()};
  const bool is_first = call.arguments.nothing();
  const bool begins_object = trimmed(mark.arguments).starts_with('{');
  if (begins_object && !call.held.empty()) {
    call.held.clear();
    call.arguments = {};
    call.progress = {};
  }
  call.begun = call.begun || !blank(mark.arguments);
  call.arguments.add(mark.arguments);
  call.progress.feed(mark.arguments);
  const bool waits =
      (is_first && mark.arguments == kPlaceholder) || (!call.held.empty() && blank(mark.arguments));
  if (waits) {
    call.held += mark.arguments;
    return {std::string()};
  }
  std::vector<std::string> said;
  if (!call.held.empty()) said.push_back(std::exchange(call.held, {}));
  said.emplace_back(mark.arguments);
  return said;
}

std::string ChatCalls::release(std::size_t call) { return std::exchange(calls_[call].held, {}); }

std::uint64_t ChatCalls::rank(std::size_t call) const { return calls_[call].index.value_or(call); }

std::optional<std::size_t> ChatCalls::find(const ChatCallMark& mark, std::size_t place) const {
  if (const auto marked = find_marked(mark)) return marked;
  if (place >= places_.size() || places_[place] == kNoCall) return std::nullopt;
  const Call& call = calls_[places_[place]];
  const bool numbered_otherwise = mark.index && call.index;
  const bool named_otherwise = !mark.id.empty() && !call.id.empty();  // otherwise found above
  return numbered_otherwise || named_otherwise ? std::nullopt : std::optional(places_[place]);
}

// Finds by id unless its index differs; otherwise by index.
std::optional<std::size_t> ChatCalls::find_marked(const ChatCallMark& mark) const {
  std::optional<std::size_t> latest;
  if (!mark.id.empty() && !mark.index) {
    if (const auto known = by_id_.find(mark.id); known != by_id_.end()) return known->second;
    return std::nullopt;
  }
  if (!mark.id.empty()) {
    const std::string id(mark.id);
    for (const Index& index : {Index(), mark.index}) {
      const auto behind = by_both_.upper_bound({id, index, kNoCall});
      if (behind == by_both_.begin()) continue;
      const auto& [known_id, known_index, number] = *std::prev(behind);
      if (known_id == id && known_index == index) latest = std::max(latest, std::optional(number));
    }
  }
  if (latest || !mark.index) return latest;
  const auto known = by_index_.find(*mark.index);
  return known == by_index_.end() ? std::nullopt : std::optional(known->second);
}

// Adds the missing marks to a call.
void ChatCalls::know(std::size_t number, const ChatCallMark& mark) {
  Call& call = calls_[number];
  if (!call.index && mark.index) {
    if (!call.id.empty()) by_both_.erase({call.id, call.index, number});
    call.index = mark.index;
    if (!call.id.empty()) by_both_.emplace(call.id, call.index, number);
    std::size_t& latest = by_index_.try_emplace(*mark.index, number).first->second;
    latest = std::max(latest, number);
  }
  if (call.id.empty() && !mark.id.empty()) {
    call.id = mark.id;
    by_both_.emplace(call.id, call.index, number);
    std::size_t& latest = by_id_.try_emplace(call.id, number).first->second;
    latest = std::max(latest, number);
  }
}

bool ChatCalls::is_another(const Call& call, const ChatCallMark& mark, SameIndexNewId rule) const {
  const bool renamed = !mark.name.empty() && !call.name.empty() && mark.name != call.name;
  const bool both_ids = !mark.id.empty() && !call.id.empty();
  if (both_ids && mark.id == call.id)
    return renamed && (!mark.index || (mark.index != call.index && call.progress.complete()));
  if (both_ids && rule == SameIndexNewId::new_call) return true;
  if (renamed) return call.progress.complete() || (!call.begun && mark.id.empty() && call.id.empty());
  return !mark.index && !mark.name.empty() && !call.name.empty() && call.progress.complete() &&
         !blank(mark.arguments);
}

}  // namespace splitproof::proxy::dialect
