#include "proxy/request/custom_input.hpp"

#include <array>
#include <cstddef>
#include <utility>

#include "proxy/wire/ascii.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::request {
namespace {

// Tokens before the text, with white space before each.
constexpr std::array<std::string_view, 4> kTokens = {"{", "\"input\"", ":", "\""};

std::size_t escape_size(std::string_view escape) { return escape.size() > 1 && escape[1] == 'u' ? 6 : 2; }

}  // namespace

void CustomInput::feed(std::string_view piece, std::string& out) {
  switch (place_) {
    case Place::head:
      take_head(piece, out);
      return;
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

// Reads each byte once, for any number of pieces.
void CustomInput::take_head(std::string_view piece, std::string& out) {
  while (!piece.empty() && place_ == Place::head) {
    const char c = piece.front();
    piece.remove_prefix(1);
    held_ += c;
    if (matched_ == 0 && wire::is_blank(c)) continue;
    const std::string_view token = kTokens[token_];
    if (c != token[matched_]) {
      place_ = Place::other;
      out += std::exchange(held_, {});
    } else if (++matched_ == token.size()) {
      matched_ = 0;
      if (++token_ < kTokens.size()) continue;
      place_ = Place::text;
      held_.clear();
    }
  }
  if (place_ != Place::head) feed(piece, out);
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
