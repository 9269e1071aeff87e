#include "proxy/text/redaction.hpp"

#include <utility>

namespace splitproof::text {
namespace {

constexpr std::size_t kMostDots = 3;

bool is_path_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         (c != '\0' && std::string_view("/\\_-+@%~=#").find(c) != std::string_view::npos);
}

}  // namespace

RedactionRules redaction_rules(Marker marker, const std::vector<std::string>& prefixes) {
  const std::string_view told = marker == Marker::ellipsis     ? "…"
                                : marker == Marker::structural ? "<workspace>"
                                                               : "";
  return {WantedTexts(prefixes), told};
}

void Redaction::feed(const RedactionRules& rules, std::string& text) {
  if (!in_path_ && held_.empty() && rules.prefixes.find_begin(text) == text.size()) return;
  const std::string read = std::exchange(text, {});
  const std::string_view piece = read;
  std::size_t at = 0;
  while (at < piece.size()) {
    if (!in_path_ && held_.empty()) {
      const std::size_t plain = rules.prefixes.find_begin(piece.substr(at));
      text.append(piece, at, plain);
      at += plain;
      if (at == piece.size()) return;
    }
    take(rules, piece[at], piece.substr(at, 1), text);
    ++at;
  }
}

void Redaction::take(const RedactionRules& rules, char c, std::string_view spelled, std::string& out) {
  if (in_path_) {
    if (take_behind_path(c, spelled)) return;
    in_path_ = false;
    read_dots_again(rules, out);
    return take(rules, c, spelled, out);
  }
  const std::size_t ended = search_.take(rules.prefixes, c);
  held_ += spelled;
  sizes_ += static_cast<char>(spelled.size());
  release(ended != 0 ? ended : search_.pending(), out);
  if (ended == 0) return;
  held_.clear();
  sizes_.clear();
  search_.restart();
  out += rules.marker;
  in_path_ = true;
  changed_ = true;
}

void Redaction::finish(std::string& out) {
  release(0, out);
  search_.restart();
  in_path_ = false;
}

// Returns false if the path ended before the held dots.
bool Redaction::take_behind_path(char c, std::string_view spelled) {
  if (c == '.') {
    if (sizes_.size() == kMostDots) return false;
    held_ += spelled;
    sizes_ += static_cast<char>(spelled.size());
    return true;
  }
  if (!is_path_byte(c)) return false;
  held_.clear();
  sizes_.clear();
  return true;
}

void Redaction::read_dots_again(const RedactionRules& rules, std::string& out) {
  const std::string dots = std::exchange(held_, {});
  std::size_t at = 0;
  for (const char size : std::exchange(sizes_, {})) {
    const std::size_t length = static_cast<unsigned char>(size);
    take(rules, '.', std::string_view(dots).substr(at, length), out);
    at += length;
  }
}

// Releases all held bytes except the last `kept`.
void Redaction::release(std::size_t kept, std::string& out) {
  std::size_t bytes = 0;
  const std::size_t count = sizes_.size() - kept;
  for (std::size_t at = 0; at < count; ++at) bytes += static_cast<std::size_t>(sizes_[at]);
  out.append(held_, 0, bytes);
  held_.erase(0, bytes);
  sizes_.erase(0, count);
}

}  // namespace splitproof::text
