#include "harness/dialect/openai_chat/recut_calls.hpp"

#include <map>

namespace splitproof::dialect {
namespace {

using CallIndex = std::optional<std::size_t>;

class CallFinder {
 public:
  void read(std::size_t frame, const std::vector<ChatCallPiece>& pieces) {
    CallIndex first;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const CallIndex place =
          pieces[i].index ? indexed(frame, pieces[i]) : unindexed(frame, pieces[i], i == 0);
      if (i == 0) first = place;
      if (place) complete(found_.calls[*place], pieces[i]);
    }
    found_.of_frame.back() = pieces.size() == 1 ? first : std::nullopt;
    last_unindexed_ = pieces.size() == 1 && !pieces[0].index ? first : std::nullopt;
  }

  void next_frame() { found_.of_frame.emplace_back(); }
  RechunkedCalls take() { return std::move(found_); }

 private:
  CallIndex start(std::size_t frame, const ChatCallPiece& piece) {
    found_.calls.push_back({.first = frame,
                            .index = piece.index,
                            .id = piece.id,
                            .name = piece.name,
                            .own_index = piece.index && !by_index_.contains(*piece.index)});
    return found_.calls.size() - 1;
  }

  /// Returns a call known only by its id, or by an id under another index.
  CallIndex of_id(const std::string& id) const {
    for (std::size_t i = found_.calls.size(); i-- > 0;) {
      if (found_.calls[i].id == id) return i;
    }
    return std::nullopt;
  }

  CallIndex indexed(std::size_t frame, const ChatCallPiece& piece) {
    const auto known = by_index_.find(*piece.index);
    if (known == by_index_.end()) {
      const CallIndex namesake = piece.id.empty() ? std::nullopt : of_id(piece.id);
      const bool doubt = namesake && !found_.calls[*namesake].index;
      const CallIndex place = doubt ? std::nullopt : start(frame, piece);
      return by_index_[*piece.index] = place;
    }
    if (!known->second) return std::nullopt;
    const RechunkedCall& call = found_.calls[*known->second];
    if (!piece.id.empty() && !call.id.empty() && piece.id != call.id)
      return known->second = start(frame, piece);
    if (!piece.name.empty() && !call.name.empty() && piece.name != call.name) known->second = std::nullopt;
    return known->second;
  }

  CallIndex unindexed(std::size_t frame, const ChatCallPiece& piece, bool first_place) {
    if (piece.id.empty()) return first_place && piece.name.empty() ? last_unindexed_ : std::nullopt;
    const CallIndex known = of_id(piece.id);
    if (!known) return start(frame, piece);
    return piece.name.empty() && !found_.calls[*known].index ? known : std::nullopt;
  }

  static void complete(RechunkedCall& call, const ChatCallPiece& piece) {
    if (call.id.empty()) call.id = piece.id;
    if (call.name.empty()) call.name = piece.name;
  }

  RechunkedCalls found_;
  std::map<std::int64_t, CallIndex> by_index_;  ///< The latest call; nullopt if in doubt.
  CallIndex last_unindexed_;
};

}  // namespace

RechunkedCalls find_calls(const ChatBody& body) {
  CallFinder finder;
  for (std::size_t i = 0; i < body.frames.size(); ++i) {
    finder.next_frame();
    const ChatFrame& frame = body.frames[i];
    if (frame.is_chunk() && !frame.said.calls.empty()) finder.read(i, frame.said.calls);
  }
  return finder.take();
}

}  // namespace splitproof::dialect
