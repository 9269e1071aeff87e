#include "proxy/text/text_search.hpp"

#include <algorithm>

namespace splitproof::text {

WantedTexts::WantedTexts(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    if (text.empty()) continue;
    first_[static_cast<unsigned char>(text.front())] = true;
    std::vector<std::size_t> borders(text.size(), 0);
    for (std::size_t at = 1; at < text.size(); ++at) {
      std::size_t border = borders[at - 1];
      while (border > 0 && text[border] != text[at]) border = borders[border - 1];
      borders[at] = text[border] == text[at] ? border + 1 : 0;
    }
    wanted_.push_back({text, std::move(borders)});
  }
}

std::size_t WantedTexts::find_begin(std::string_view piece) const {
  std::size_t at = 0;
  for (; at < piece.size(); ++at) {
    if (!begin_with(piece[at])) continue;
    const std::string_view two = piece.substr(at, 2);
    const bool begins = std::any_of(wanted_.begin(), wanted_.end(), [&](const Wanted& wanted) {
      return wanted.text.starts_with(two) || two.starts_with(wanted.text);
    });
    if (begins) break;
  }
  return at;
}

std::size_t TextSearch::take(const WantedTexts& texts, char c) {
  if (pending_ == 0 && !texts.begin_with(c)) return 0;
  matched_.resize(texts.wanted_.size(), 0);
  pending_ = 0;
  std::size_t ended = 0;
  for (std::size_t number = 0; number < matched_.size(); ++number) {
    const auto& [text, borders] = texts.wanted_[number];
    std::size_t& matched = matched_[number];
    if (matched == text.size()) matched = borders[matched - 1];
    while (matched > 0 && text[matched] != c) matched = borders[matched - 1];
    if (text[matched] == c) ++matched;
    if (matched == text.size()) ended = std::max(ended, matched);
    pending_ = std::max(pending_, matched);
  }
  if (pending_ == 0) matched_.clear();
  return ended;
}

}  // namespace splitproof::text
