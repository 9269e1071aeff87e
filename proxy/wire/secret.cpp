#include "proxy/wire/secret.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace splitproof::wire {
namespace {

constexpr std::string_view kMark = "[key]";

// Returns the fallbacks of a search for `wanted` (Knuth, Morris, Pratt): for each beginning, the length of its end that
// begins the text again.
std::vector<std::size_t> borders_of(std::string_view wanted) {
  std::vector<std::size_t> borders(wanted.size(), 0);
  for (std::size_t at = 1; at < wanted.size(); ++at) {
    std::size_t border = borders[at - 1];
    while (border > 0 && wanted[border] != wanted[at]) border = borders[border - 1];
    borders[at] = wanted[border] == wanted[at] ? border + 1 : 0;
  }
  return borders;
}

void replace_all(std::string& text, std::string_view wanted) {
  std::vector<std::size_t> borders;
  std::string kept;
  std::size_t copied = 0;   // end of the copied text
  std::size_t matched = 0;  // matched bytes of `wanted`
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (matched == 0) at = text.find(wanted.front(), at);
    if (at == std::string::npos) break;
    if (borders.empty()) borders = borders_of(wanted);
    while (matched > 0 && wanted[matched] != text[at]) matched = borders[matched - 1];
    if (wanted[matched] == text[at]) ++matched;
    if (matched < wanted.size()) continue;
    kept.append(text, copied, at + 1 - wanted.size() - copied).append(kMark);
    copied = at + 1;
    matched = 0;
  }
  if (copied > 0) text = std::move(kept.append(text, copied));
}

}  // namespace

void conceal(std::string& text, std::string_view secret) {
  constexpr std::size_t kShortest = 8;
  if (secret.size() < kShortest) return;
  replace_all(text, secret);
  if (secret.find('/') == std::string_view::npos) return;
  std::string escaped;
  for (const char c : secret) escaped.append(c == '/' ? "\\/" : std::string(1, c));
  replace_all(text, escaped);
}

}  // namespace splitproof::wire
