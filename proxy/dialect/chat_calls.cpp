#include "proxy/dialect/chat_calls.hpp"

namespace splitproof::dialect {

std::size_t ChatCalls::match(const ChatCallMark& mark, std::size_t place, SameIndexNewId rule) {
  std::optional<std::size_t> found = find(mark, place);
  if (!found || is_another(calls_[*found], mark, rule)) {
    found = calls_.size();
    calls_.push_back(Call{mark.index, {}, {}, {}});
  }
  Call& call = calls_[*found];
  if (call.id.empty()) call.id = mark.id;
  if (call.name.empty()) call.name = mark.name;
  call.progress.feed(mark.arguments);
  if (place >= places_.size()) places_.resize(place + 1, *found);
  places_[place] = *found;
  return *found;
}

std::uint64_t ChatCalls::rank(std::size_t call) const { return calls_[call].index.value_or(call); }

std::optional<std::size_t> ChatCalls::find(const ChatCallMark& mark, std::size_t place) const {
  if (mark.index || !mark.id.empty()) {
    std::optional<std::size_t> latest;  // of the same index
    for (std::size_t i = calls_.size(); i-- > 0;) {
      const Call& call = calls_[i];
      if (mark.index && call.index != mark.index) continue;
      if (mark.index && !latest) latest = i;
      if (mark.id.empty() || call.id == mark.id) return i;
    }
    if (mark.index) return latest;
  }
  if (place >= places_.size()) return std::nullopt;
  const Call& call = calls_[places_[place]];
  const bool taken = !mark.id.empty() && !call.id.empty();  // under another id, or it had been found above
  return taken ? std::nullopt : std::optional(places_[place]);
}

bool ChatCalls::is_another(const Call& call, const ChatCallMark& mark, SameIndexNewId rule) const {
  const bool both_ids = !mark.id.empty() && !call.id.empty();
  if (both_ids && mark.id == call.id) return false;
  if (both_ids && rule == SameIndexNewId::new_call) return true;
  if (mark.name.empty() || call.name.empty() || !call.progress.complete()) return false;
  return mark.name != call.name || !mark.index;
}

}  // namespace splitproof::dialect
