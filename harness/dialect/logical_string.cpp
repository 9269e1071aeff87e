#include "harness/dialect/logical_string.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace splitproof::dialect {
namespace {

// Returns at least `length` bytes, extended to a character's end.
std::size_t whole_characters(const std::string& text, std::size_t from, std::size_t length) {
  std::size_t end = std::min(text.size(), from + length);
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return end - from;
}

}  // namespace

std::string LogicalString::text(const Draft& draft) const {
  std::string all;
  for (const FieldRef& piece : pieces) all += draft.text(piece);
  return all;
}

void LogicalString::say(Draft& draft, const std::string& text) const {
  std::size_t from = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const bool last = i + 1 == pieces.size();
    const std::size_t length =
        last ? text.size() - from : whole_characters(text, from, draft.text(pieces[i]).size());
    draft.set(pieces[i], text.substr(from, length));
    from += length;
  }
  for (const Repeat& repeat : repeats) draft.set(repeat.spot, text);
}

void LogicalString::put(Draft& draft, std::string_view value) const {
  for (const FieldRef& piece : pieces) draft.set_json(piece, value);
  for (const Repeat& repeat : repeats) draft.set_json(repeat.spot, value);
}

}  // namespace splitproof::dialect
