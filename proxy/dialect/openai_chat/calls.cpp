#include "proxy/dialect/openai_chat/calls.hpp"

namespace splitproof::proxy::dialect {
namespace {

bool blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

}  // namespace

std::size_t ChatCalls::match(const ChatCallMark& mark, std::size_t place, SameIndexNewId rule) {
  std::optional<std::size_t> found = find(mark, place);
  if (!found || is_another(calls_[*found], mark, rule)) {
    found = calls_.size();
    calls_.emplace_back();
  }
  Call& call = calls_[*found];
  if (!call.index) call.index = mark.index;
  if (call.id.empty()) call.id = mark.id;
  if (call.name.empty()) call.name = mark.name;
  call.begun = call.begun || !blank(mark.arguments);
  call.progress.feed(mark.arguments);
  if (place >= places_.size()) places_.resize(place + 1, kNoCall);
  places_[place] = *found;
  return *found;
}

std::uint64_t ChatCalls::rank(std::size_t call) const { return calls_[call].index.value_or(call); }

std::optional<std::size_t> ChatCalls::find(const ChatCallMark& mark, std::size_t place) const {
  if (mark.index || !mark.id.empty()) {
    std::optional<std::size_t> latest;  // of the same index
    for (std::size_t i = calls_.size(); i-- > 0;) {
      const Call& call = calls_[i];
      if (mark.index && call.index && call.index != mark.index) continue;
      if (!mark.id.empty() && call.id == mark.id) return i;
      if (mark.index && call.index && !latest) latest = i;
      if (mark.id.empty() && latest) break;
    }
    if (latest) return latest;
  }
  if (place >= places_.size() || places_[place] == kNoCall) return std::nullopt;
  const Call& call = calls_[places_[place]];
  const bool numbered_otherwise = mark.index && call.index;
  const bool named_otherwise = !mark.id.empty() && !call.id.empty();  // else it had been found above
  return numbered_otherwise || named_otherwise ? std::nullopt : std::optional(places_[place]);
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
