#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/observe/answer.hpp"

namespace splitproof::observe {

inline Part prose(PartKind kind, std::string words) {
  Part part;
  part.kind = kind;
  part.text = std::move(words);
  return part;
}

inline Part text(std::string words) { return prose(PartKind::text, std::move(words)); }

inline Part thinking(std::string words) { return prose(PartKind::thinking, std::move(words)); }

inline Part call(std::string id, std::string name, std::string arguments, std::uint64_t rank = 0) {
  Part part;
  part.kind = PartKind::call;
  part.id = std::move(id);
  part.name = std::move(name);
  part.arguments = std::move(arguments);
  part.rank = rank;
  return part;
}

/// Returns an answer of these parts with a good end.
inline Answer answer(std::vector<Part> parts) {
  Answer meaning;
  meaning.model = "m";
  meaning.begins_with_text = !parts.empty() && parts.front().kind == PartKind::text;
  meaning.parts = std::move(parts);
  meaning.finish = FinishReason{FinishKind::stop, "stop"};
  meaning.done = true;
  return meaning;
}

}  // namespace splitproof::observe
