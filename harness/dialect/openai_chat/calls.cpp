#include "harness/dialect/openai_chat/calls.hpp"

namespace splitproof::dialect {
namespace {

template <class Map>
std::optional<std::size_t> found(const Map& map, const typename Map::key_type& key) {
  const auto at = map.find(key);
  return at == map.end() ? std::nullopt : std::optional(at->second);
}

bool other_index(const CallSign& piece, const ChatCall& call) {
  return piece.index && call.index && *piece.index != *call.index;
}

bool other_id(const CallSign& piece, const ChatCall& call) {
  return !piece.id.empty() && !call.id.empty() && piece.id != call.id;
}

}  // namespace

std::optional<std::size_t> ChatCalls::find(const CallSign& piece) const {
  if (piece.index) {
    const auto indexed = found(by_index_, *piece.index);
    if (indexed && (!other_id(piece, calls_[*indexed]) || rule_ == observe::SameIndexNewId::same_call))
      return indexed;
    if (indexed) {
      const auto both = found(by_both_, {*piece.index, piece.id});
      if (both) return both;
    }
  }
  for (const auto& candidate :
       {piece.id.empty() ? std::nullopt : found(by_id_, piece.id), found(by_place_, piece.place)}) {
    if (candidate && !other_index(piece, calls_[*candidate]) && !other_id(piece, calls_[*candidate])) {
      return candidate;
    }
  }
  return std::nullopt;
}

bool ChatCalls::brings_second_id(const CallSign& piece) const {
  const auto indexed = piece.index ? found(by_index_, *piece.index) : std::nullopt;
  return indexed && other_id(piece, calls_[*indexed]);
}

bool ChatCalls::begins_another(const CallSign& piece, const ChatCall& call) const {
  if (piece.name.empty() || call.name.empty()) return false;
  const bool same_id = !piece.id.empty() && piece.id == call.id;
  const bool no_ids = piece.id.empty() && call.id.empty();
  if (piece.name == call.name) return !piece.index && !same_id && piece.has_arguments && call.complete();
  if (!piece.index && same_id) return true;
  const bool same_index = piece.index && call.index && *piece.index == *call.index;
  return !(same_index && same_id) && (call.complete() || (call.silent() && no_ids));
}

std::size_t ChatCalls::assign(const CallSign& piece) {
  auto number = find(piece);
  if (!number || begins_another(piece, calls_[*number])) {
    number = calls_.size();
    calls_.emplace_back();
  }
  ChatCall& call = calls_[*number];
  if (++call.pieces == 1) call.older = !piece.place;
  if (!call.index) call.index = piece.index;
  if (call.id.empty()) call.id = piece.id;
  if (call.name.empty()) call.name = piece.name;
  by_place_[piece.place] = *number;
  if (call.index) by_index_[*call.index] = *number;
  if (!call.id.empty()) by_id_[call.id] = *number;
  if (call.index && !call.id.empty()) by_both_[{*call.index, call.id}] = *number;
  return *number;
}

}  // namespace splitproof::dialect
