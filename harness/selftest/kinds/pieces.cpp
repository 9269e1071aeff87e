// Content in pieces: pieces that are lost, doubled, moved or not text.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/selftest/kinds/strand_kinds.hpp"

namespace splitproof::selftest {
namespace {

using Spots = std::vector<FieldRef>;

// Changes a draft if the strand is suitable. Returns true if it did.
struct PieceOperator {
  Operator what;
  bool (*change)(Draft& draft, const Spots& pieces);
};

constexpr std::string_view kLost = "a piece of the answer is lost";
constexpr std::string_view kTwice = "a piece of the answer comes twice";
constexpr std::string_view kEmptied =
    "a client that appends it shows null, [object Object] or nothing, or throws";

bool drop(Draft& draft, const FieldRef& piece) {
  draft.set(piece, "");
  return true;
}

bool twice(Draft& draft, const Spots& pieces, const FieldRef& piece) {
  if (pieces.size() < 2) return false;
  draft.copy(piece.event, piece.event);
  draft.renumber();
  return true;
}

bool put(Draft& draft, const Spots& pieces, std::string_view value) {
  draft.set_json(pieces.back(), value);
  return true;
}

constexpr auto kPieceOperators = std::to_array<PieceOperator>({
    {{"first-lost", Effect::content, kLost},
     [](Draft& draft, const Spots& pieces) { return drop(draft, pieces.front()); }},
    {{"last-lost", Effect::content, kLost},
     [](Draft& draft, const Spots& pieces) { return pieces.size() > 1 && drop(draft, pieces.back()); }},
    {{"middle-lost", Effect::content, kLost},
     [](Draft& draft, const Spots& pieces) { return pieces.size() > 2 && drop(draft, pieces[pieces.size() / 2]); }},
    {{"event-lost", Effect::content, kLost},
     [](Draft& draft, const Spots& pieces) {
       if (pieces.size() < 2) return false;
       draft.remove(pieces.back().event);
       draft.renumber();
       return true;
     }},
    {{"first-twice", Effect::content, kTwice},
     [](Draft& draft, const Spots& pieces) { return twice(draft, pieces, pieces.front()); }},
    {{"last-twice", Effect::content, kTwice},
     [](Draft& draft, const Spots& pieces) { return twice(draft, pieces, pieces.back()); }},
    {{"swapped", Effect::content, "the answer is in another order"},
     [](Draft& draft, const Spots& pieces) {
       if (pieces.size() < 2) return false;
       const std::string first = draft.text(pieces[0]);
       draft.set(pieces[0], draft.text(pieces[1]));
       draft.set(pieces[1], first);
       return true;
     }},
    {{"backwards", Effect::content, "the answer is in another order"},
     [](Draft& draft, const Spots& pieces) {
       if (pieces.size() < 3) return false;
       std::vector<std::string> said;
       for (const FieldRef& piece : pieces) said.push_back(draft.text(piece));
       for (std::size_t i = 0; i < pieces.size(); ++i) draft.set(pieces[i], said[pieces.size() - 1 - i]);
       return true;
     }},
    {{"cumulative", Effect::content, "each piece comes again with every later one"},
     [](Draft& draft, const Spots& pieces) {
       std::string so_far;
       for (const FieldRef& piece : pieces) {
         so_far += draft.text(piece);
         draft.set(piece, so_far);
       }
       return pieces.size() > 1;
     }},
    {{"whole-again-at-the-end", Effect::content, "the client shows the answer twice"},
     [](Draft& draft, const Spots& pieces) {
       std::string all;
       for (const FieldRef& piece : pieces) all += draft.text(piece);
       draft.set(pieces.back(), draft.text(pieces.back()) + all);
       return pieces.size() > 1;
     }},
    {{"trimmed", Effect::content, "words run together"},
     [](Draft& draft, const Spots& pieces) {
       bool any = false;
       for (const FieldRef& piece : pieces) {
         const std::string said = draft.text(piece);
         const std::size_t end = said.find_last_not_of(' ');
         if (end == std::string::npos || end + 1 == said.size()) continue;
         draft.set(piece, said.substr(0, end + 1));
         any = true;
       }
       return any;
     }},
    {{"behind-the-last-event", Effect::shape, 
            "a client that has stopped reading loses it, and another client appends it"},
     [](Draft& draft, const Spots& pieces) {
       if (pieces.size() < 2) return false;
       draft.move(pieces.back().event, draft.size() - 1);
       draft.renumber();
       return true;
     }},
    {{"before-the-first-event", Effect::shape, 
            "a client that expects another event first drops it or throws"},
     [](Draft& draft, const Spots& pieces) {
       draft.move(pieces.front().event, 0);
       draft.renumber();
       return true;
     }},
    {{"null", Effect::shape, kEmptied},
     [](Draft& draft, const Spots& pieces) { return put(draft, pieces, "null"); }},
    {{"number", Effect::shape, kEmptied},
     [](Draft& draft, const Spots& pieces) { return put(draft, pieces, "7"); }},
    {{"true", Effect::shape, kEmptied},
     [](Draft& draft, const Spots& pieces) { return put(draft, pieces, "true"); }},
    {{"list", Effect::shape, kEmptied},
     [](Draft& draft, const Spots& pieces) { return put(draft, pieces, "[]"); }},
    {{"object", Effect::shape, kEmptied},
     [](Draft& draft, const Spots& pieces) { return put(draft, pieces, "{}"); }},
    {{"text-parts", Effect::shape, kEmptied},
     [](Draft& draft, const Spots& pieces) {
       draft.set(pieces.back(), nlohmann::ordered_json::array({{{"type", "text"}, {"text", draft.text(pieces.back())}}}));
       return true;
     }},
    {{"error-piece-as-text", Effect::shape, 
            "the client shows a failure as the end of the answer and does not retry"},
     [](Draft& draft, const Spots& pieces) {
       if (pieces.size() < 2) return false;
       draft.set(pieces.back(), R"({"error":{"message":"Too many ships.","type":"server_error"}})");
       return true;
     }},
    {{"misspelt", Effect::content, kLost},
     [](Draft& draft, const Spots& pieces) {
       FieldRef other = pieces.back();
       other.field += "_x";
       draft.set(other, draft.text(pieces.back()));
       draft.erase(pieces.back());
       return true;
     }},
    {{"character-cut-between-pieces", Effect::shape, "the client loses the character or the event"},
     [](Draft& draft, const Spots& pieces) {
       if (pieces.size() < 2) return false;
       draft.set(pieces[0], draft.text(pieces[0]) + std::string(dialect::kHalfCharacter));
       draft.set(pieces[1], std::string(dialect::kOtherHalfCharacter) + draft.text(pieces[1]));
       return true;
     }},
    {{"surrogates-dealt-out", Effect::shape, "a client that encodes each piece loses the character or throws"},
     [](Draft& draft, const Spots& pieces) {
       if (pieces.size() < 2) return false;
       draft.set(pieces[0], draft.text(pieces[0]) + std::string(dialect::kHighSurrogate));
       draft.set(pieces[1], std::string(dialect::kLowSurrogate) + draft.text(pieces[1]));
       return true;
     }},
});

constexpr Operator kCrossed = {"said-by-another", Effect::content,
                               "the client shows content of one under another"};

ChangedBodies crossed(const dialect::SelfTestWords& words, std::string_view what, const Draft& draft) {
  const std::vector<LogicalString> all = strands_of(words, draft, what);
  if (all.size() < 2) return {};
  Draft changed = draft;
  const FieldRef& one = all[0].pieces.back();
  const FieldRef& other = all[1].pieces.back();
  changed.set(one, draft.text(other));
  changed.set(other, draft.text(one));
  return {changed.body()};
}

}  // namespace

void add_piece_kinds(KindList& kinds) {
  const dialect::SelfTestWords& words = kinds.words();
  for (const LogicalStringClass& of : words.strand_classes()) {
    if (!of.in_pieces) continue;
    for (const PieceOperator& op : kPieceOperators) {
      kinds.add("pieces", op.what, of.what, [&words, what = of.what, change = op.change](const Draft& draft) {
        ChangedBodies bodies;
        for (const LogicalString& strand : strands_of(words, draft, what)) {
          Draft changed = draft;
          if (change(changed, strand.pieces)) bodies.push_back(changed.body());
        }
        return bodies;
      });
    }
    if (of.one_a_stream) continue;
    kinds.add("pieces", kCrossed, of.what,
              [&words, what = of.what](const Draft& draft) { return crossed(words, what, draft); });
  }
}

}  // namespace splitproof::selftest
