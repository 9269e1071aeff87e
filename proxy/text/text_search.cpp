#include "proxy/text/text_search.hpp"

#include <algorithm>

namespace splitproof::text {

WantedTexts::WantedTexts(std::vector<std::string> texts) {
  std::erase(texts, std::string());
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  if (texts.empty()) return;
  for (const std::string& text : texts) first_[static_cast<unsigned char>(text.front())] = true;
  nodes_.emplace_back();
  std::vector<std::array<std::size_t, 2>> ranges = {
      {0, texts.size()}};  // for each node: the texts with this beginning
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
    const auto [from, to] = ranges[node];
    add_children(texts, node, from, to, ranges);
  }
}

void WantedTexts::add_children(const std::vector<std::string>& texts, std::uint32_t node, std::size_t from,
                               std::size_t to, std::vector<std::array<std::size_t, 2>>& ranges) {
  const std::uint32_t size = nodes_[node].size;
  if (texts[from].size() == size) ++from;  // it ends here
  nodes_[node].children = static_cast<std::uint32_t>(nodes_.size());
  while (from < to) {
    const char c = texts[from][size];
    std::size_t end = from;
    while (end < to && texts[end][size] == c) ++end;
    Node longer;
    longer.size = size + 1;
    longer.last = c;
    // Shorter nodes have their children already.
    longer.shorter = node == 0 ? 0 : next(nodes_[node].shorter, c);
    longer.ended = texts[from].size() == longer.size ? longer.size : nodes_[longer.shorter].ended;
    nodes_.push_back(longer);
    ranges.push_back({from, end});
    ++nodes_[node].count;
    from = end;
  }
}

std::size_t WantedTexts::find_begin(std::string_view piece) const {
  std::size_t at = 0;
  for (; at < piece.size(); ++at) {
    if (!begin_with(piece[at])) continue;
    if (at + 1 == piece.size()) break;
    const std::uint32_t first = child(0, piece[at]);
    if (nodes_[first].ended != 0 || child(first, piece[at + 1]) != 0) break;
  }
  return at;
}

// Returns the beginning that is longer by this byte; 0: none.
std::uint32_t WantedTexts::child(std::uint32_t node, char c) const {
  const auto first = nodes_.begin() + nodes_[node].children;
  const auto last = first + nodes_[node].count;
  const auto found = std::partition_point(first, last, [&](const Node& longer) {
    return static_cast<unsigned char>(longer.last) < static_cast<unsigned char>(c);
  });
  return found == last || found->last != c ? 0 : static_cast<std::uint32_t>(found - nodes_.begin());
}

// Returns the longest beginning at the end of `node` and this byte.
std::uint32_t WantedTexts::next(std::uint32_t node, char c) const {
  while (true) {
    const std::uint32_t longer = child(node, c);
    if (longer != 0 || node == 0) return longer;
    node = nodes_[node].shorter;
  }
}

std::size_t TextSearch::take(const WantedTexts& texts, char c) {
  if (pending_ == 0 && !texts.begin_with(c)) return 0;
  node_ = texts.next(node_, c);
  pending_ = texts.nodes_[node_].size;
  return texts.nodes_[node_].ended;
}

}  // namespace splitproof::text
