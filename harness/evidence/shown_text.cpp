#include "harness/evidence/shown_text.hpp"

#include <algorithm>

#include "harness/utf8.hpp"

namespace splitproof::evidence {
namespace {

constexpr std::size_t kShown = 60;   // bytes
constexpr std::size_t kBefore = 20;  // bytes before a difference

}  // namespace

std::string shown_text(std::string_view text, std::size_t begin) {
  const auto boundary = [text](std::size_t at) {
    while (at < text.size() && at > 0 && continues_character(text[at])) --at;
    return std::min(at, text.size());
  };
  const std::size_t first = boundary(begin);
  const std::size_t last = boundary(first + kShown);
  return (first > 0 ? "..." : "") + std::string(text.substr(first, last - first)) +
         (last < text.size() ? "..." : "");
}

std::size_t begin_of_shown(std::string_view a, std::string_view b) {
  const auto differ = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto at = static_cast<std::size_t>(differ.first - a.begin());
  return at < kShown - kBefore ? 0 : at - kBefore;
}

}  // namespace splitproof::evidence
