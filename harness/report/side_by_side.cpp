#include "harness/report/side_by_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/report/picture.hpp"
#include "harness/utf8.hpp"

namespace splitproof::report {
namespace {

constexpr std::size_t kLeft = 60;   // columns for upstream bytes
constexpr std::size_t kRight = 96;  // and for a downstream event

// Cut into pieces of at most `width` characters.
std::vector<std::string> folded(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t characters = 0;
  for (const char c : text) {
    if (!continues_character(c) && characters++ == width) {
      lines.emplace_back();
      characters = 1;
    }
    lines.back() += c;
  }
  return lines;
}

std::string padded(const std::string& text) {
  return text + std::string(kLeft - std::min(kLeft, count_characters(text)), ' ');
}

std::string event_line(std::size_t number, const observe::Event& event) {
  const std::string fault =
      event.fault == observe::Fault::none ? "" : " [" + std::string(observe::name(event.fault)) + "]";
  std::vector<std::string> data = folded(visible(event.data), kRight);
  return fmt::format("{:>3}{} {}{}", number, fault, data.front(), data.size() > 1 ? "..." : "");
}

}  // namespace

std::string side_by_side(const std::string& protocol, const campaign::Upstream& upstream,
                         const testee::Observation& observation, const observe::Trace& trace) {
  std::string out = padded("upstream " + protocol) + " | downstream\n";
  std::size_t shown = 0;
  const auto row = [&](const std::vector<std::string>& left, std::size_t downstream_end) {
    std::vector<std::string> right;
    for (; shown < trace.events.size() && trace.events[shown].end <= downstream_end; ++shown) {
      right.push_back(event_line(shown, trace.events[shown]));
    }
    for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
      out += padded(i < left.size() ? left[i] : "") + " | " + (i < right.size() ? right[i] : "") + "\n";
    }
  };
  const std::vector<std::string_view> chunks = split::chunks(upstream.body, upstream.cuts);
  std::size_t at = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    std::vector<std::string> left{fmt::format("-- bytes {}-{}", at, at + chunks[i].size())};
    for (std::string& line : folded(visible(chunks[i]), kLeft)) left.push_back(std::move(line));
    at += chunks[i].size();
    row(left, i < observation.after_chunk.size() ? observation.after_chunk[i] : observation.body.size());
  }
  row({"-- end: " + std::string(recording::name(upstream.end))}, observation.body.size());
  return out;
}

}  // namespace splitproof::report
