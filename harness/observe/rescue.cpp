#include "harness/observe/rescue.hpp"

#include <algorithm>
#include <iterator>

#include "harness/observe/markup_json.hpp"
#include "harness/observe/markup_words.hpp"

namespace splitproof::observe {
namespace {

bool holds_telling_words(const std::string& text) {
  return std::any_of(std::begin(kTellingWords), std::end(kTellingWords),
                     [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

}  // namespace

bool SaidOnce::is_said(bool rescued, const std::string& name, std::string_view arguments) const {
  return (rescued ? sent_ : rescued_).contains(Call(name, canonical_arguments(arguments)));
}

bool SaidOnce::take(bool rescued, const std::string& name, std::string_view arguments) {
  Call call(name, canonical_arguments(arguments));
  Calls& others = rescued ? sent_ : rescued_;
  if (const auto said = others.find(call); said != others.end()) {
    others.erase(said);
    return false;
  }
  (rescued ? rescued_ : sent_).insert(std::move(call));
  return true;
}

bool SaidOnce::may_answer(const std::string& name) const {
  return std::any_of(rescued_.begin(), rescued_.end(), [&](const auto& call) { return call.first == name; });
}

Rescue rescue_calls(std::vector<Part>& parts, const DeclaredFunctions& functions) {
  Rescue rescue;
  SaidOnce said;
  std::vector<Part> told;
  const auto tell = [&](Part part, bool rescued) {
    const bool counts = part.kind == PartKind::call && !part.custom;
    if (!counts || said.take(rescued, part.name, part.arguments)) return told.push_back(std::move(part));
    rescue.said_twice = true;
  };
  const Part* before = nullptr;  // the last call that was sent
  for (Part& part : parts) {
    if (part.kind == PartKind::call) before = &part;
    if (part.kind != PartKind::text) {
      tell(part, false);
      continue;
    }
    Cleaning cleaning;
    cleaning.read(part.text, functions, true);
    rescue.any |= !cleaning.calls().empty();
    rescue.left.in_code |= cleaning.left().in_code;
    rescue.left.undeclared |= cleaning.left().undeclared;
    rescue.left.unclosed |= cleaning.left().unclosed;
    for (Part& piece : cleaning.parts(part.text)) {
      const bool rescued = piece.kind == PartKind::call;
      rescue.words_left |= !rescued && holds_telling_words(piece.text);
      // It stays at its place, however calls are numbered.
      if (rescued && before != nullptr) {
        piece.rank = before->rank;
        piece.begun = before->begun;
      }
      tell(std::move(piece), rescued);
    }
  }
  parts = std::move(told);
  return rescue;
}

}  // namespace splitproof::observe
