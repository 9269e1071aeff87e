#include "proxy/request/custom_input.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "proxy/wire/json.hpp"

namespace splitproof::request {
namespace {

// Where the text begins; 0: not yet known; nothing: these are no arguments of a custom tool.
std::optional<std::size_t> text_begin(std::string_view head) {
  constexpr std::array<std::string_view, 4> kTokens = {"{", "\"input\"", ":", "\""};
  std::size_t at = 0;
  for (const std::string_view token : kTokens) {
    at = std::min(head.find_first_not_of(" \t\r\n", at), head.size());
    const std::string_view here = head.substr(at, token.size());
    if (here != token.substr(0, here.size())) return std::nullopt;
    if (here.size() < token.size()) return 0;
    at += token.size();
  }
  return at;
}

std::size_t escape_size(std::string_view escape) { return escape.size() > 1 && escape[1] == 'u' ? 6 : 2; }

}  // namespace

void CustomInput::feed(std::string_view piece, std::string& out) {
  switch (place_) {
    case Place::head: {
      held_ += piece;
      const auto begin = text_begin(held_);
      if (begin == 0U) return;
      place_ = begin ? Place::text : Place::other;
      const std::string head = std::exchange(held_, {});
      feed(std::string_view(head).substr(begin.value_or(0)), out);
      return;
    }
    case Place::text:
      take_text(piece, out);
      return;
    case Place::behind:
      return;
    case Place::other:
      out += piece;
      return;
  }
}

void CustomInput::finish(std::string& out) {
  if (place_ == Place::head) out += held_;
  pairs_.finish(out);
  held_.clear();
}

void CustomInput::take_text(std::string_view piece, std::string& out) {
  std::string said;  // in WTF-8
  while (!piece.empty()) {
    if (held_.empty()) {
      const std::size_t end = piece.find_first_of("\\\"");
      said += piece.substr(0, end);
      if (end == std::string_view::npos) break;
      piece.remove_prefix(end);
      if (piece.front() == '"') {
        place_ = Place::behind;
        break;
      }
    }
    held_ += piece.front();
    piece.remove_prefix(1);
    if (held_.size() < escape_size(held_)) continue;
    const std::string string = "\"" + std::exchange(held_, {}) + "\"";
    said += wire::JsonDocument(string, 1).root().text();
  }
  pairs_.feed(said, out);
  if (place_ == Place::behind) pairs_.finish(out);
}

}  // namespace splitproof::request
