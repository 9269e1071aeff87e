#include "harness/observe/frame_style.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace splitproof::observe {
namespace {

using StyleKind = FrameStyle::Kind;

constexpr std::array<std::pair<std::string_view, StyleKind>, 6> kStyleNames{
    {{"whole", StyleKind::whole},
     {"halves", StyleKind::halves},
     {"bytes", StyleKind::bytes},
     {"empty", StyleKind::empty},
     {"pings", StyleKind::pings},
     {"between", StyleKind::between}}};
constexpr std::array<std::size_t, 4> kSizes{125, 126, 65535, 65536};

// Returns a place inside of the first character of several bytes, or the middle.
std::size_t place_of_cut(std::string_view message) {
  const auto is_long = [](char c) { return (static_cast<unsigned char>(c) & 0x80) != 0; };
  const auto found = std::find_if(message.begin(), message.end(), is_long);
  if (found == message.end()) return message.size() / 2;
  return static_cast<std::size_t>(found - message.begin()) + 1;
}

}  // namespace

std::string label(const FrameStyle& style) {
  if (style.kind == StyleKind::sized) return std::to_string(style.size);
  const auto is_it = [&](const auto& named) { return named.second == style.kind; };
  return std::string(std::find_if(kStyleNames.begin(), kStyleNames.end(), is_it)->first);
}

std::optional<FrameStyle> frame_style_of(std::string_view text) {
  for (const FrameStyle& style : frame_styles())
    if (label(style) == text) return style;
  if (text == label(FrameStyle())) return FrameStyle();
  return std::nullopt;
}

const std::vector<FrameStyle>& frame_styles() {
  static const std::vector<FrameStyle> kAll = [] {
    std::vector<FrameStyle> all;
    for (const auto& named : kStyleNames)
      if (named.second != StyleKind::whole) all.push_back({named.second, 0});
    for (const std::size_t size : kSizes) all.push_back({StyleKind::sized, size});
    return all;
  }();
  return kAll;
}

std::vector<std::string_view> fragments_of(std::string_view message, const FrameStyle& style) {
  std::vector<std::string_view> fragments;
  if (style.kind == StyleKind::empty) return {message.substr(0, 0), message, message.substr(message.size())};
  if (style.kind == StyleKind::halves || style.kind == StyleKind::between) {
    const std::size_t cut = place_of_cut(message);
    return {message.substr(0, cut), message.substr(cut)};
  }
  if (style.kind == StyleKind::bytes)
    for (std::size_t i = 0; i < message.size(); ++i) fragments.push_back(message.substr(i, 1));
  if (fragments.empty()) fragments.push_back(message);
  return fragments;
}

std::optional<std::size_t> fill_shortest(std::vector<std::string>& messages, std::size_t size) {
  const auto shorter = [](const std::string& a, const std::string& b) { return a.size() < b.size(); };
  const auto shortest = std::min_element(messages.begin(), messages.end(), shorter);
  if (shortest == messages.end() || shortest->size() > size) return std::nullopt;
  shortest->resize(size, ' ');
  return static_cast<std::size_t>(shortest - messages.begin());
}

}  // namespace splitproof::observe
