#include "harness/report/side_by_side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "harness/utf8.hpp"
#include "harness/visible.hpp"

namespace splitproof::report {
namespace {

constexpr std::size_t kLeft = 60;   // columns for upstream bytes
constexpr std::size_t kRight = 96;  // columns for a downstream event
constexpr std::size_t kLinesOfText = 6;
constexpr std::size_t kDeepest = 16;  // levels that are indented
constexpr std::string_view kBlanks = " \t\r\n";

// Cuts text into pieces of at most `width` characters.
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

std::string rows(const std::vector<std::string>& left, const std::vector<std::string>& right) {
  std::string out;
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i)
    out += padded(i < left.size() ? left[i] : "") + " | " + (i < right.size() ? right[i] : "") + "\n";
  return out;
}

// Returns JSON with a line for each member and element; the rest is unchanged. Also accepts invalid JSON.
std::vector<std::string> indented(std::string_view json) {
  std::vector<std::string> lines(1);
  std::size_t depth = 0;
  const auto next_line = [&] { lines.emplace_back(std::min(depth, kDeepest) * 2, ' '); };
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') {
      const std::size_t begin = i;
      while (++i < json.size() && json[i] != '"') i += json[i] == '\\' ? 1 : 0;
      lines.back() += visible(json.substr(begin, i + 1 - begin));
    } else if (c == '{' || c == '[') {
      lines.back() += c;
      ++depth;
      const std::size_t next = json.find_first_not_of(kBlanks, i + 1);
      if (next == json.npos || (json[next] != '}' && json[next] != ']')) next_line();
    } else if (c == '}' || c == ']') {
      depth -= depth > 0 ? 1 : 0;
      if (!lines.back().ends_with('{') && !lines.back().ends_with('[')) next_line();
      lines.back() += c;
    } else if (c == ',') {
      lines.back() += c;
      next_line();
    } else if (c == ':') {
      lines.back() += ": ";
    } else if (kBlanks.find(c) == kBlanks.npos) {
      lines.back() += visible({&c, 1});
    }
  }
  return lines;
}

// Returns a request, `width` columns wide; shortens long texts.
std::vector<std::string> request_lines(const std::string& title, std::string_view body, std::size_t width) {
  std::vector<std::string> lines{title};
  for (const std::string& line : indented(body)) {
    const std::vector<std::string> pieces = folded(line, width);
    const std::size_t shown = std::min(pieces.size(), kLinesOfText);
    lines.insert(lines.end(), pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(shown));
    if (shown < pieces.size()) lines.push_back("...");
  }
  return lines;
}

std::string event_line(std::size_t number, const observe::Event& event) {
  const std::string fault =
      event.fault == observe::StreamFault::none ? "" : " [" + std::string(observe::name(event.fault)) + "]";
  std::vector<std::string> data = folded(visible(event.data), kRight);
  return fmt::format("{:>3}{} {}{}", number, fault, data.front(), data.size() > 1 ? "..." : "");
}

}  // namespace

std::string side_by_side(const std::string& protocol, const results::Upstream& upstream,
                         const testee::Observation& observation, const observe::Trace& trace) {
  std::string out = padded("upstream " + protocol) + " | downstream\n";
  std::size_t shown = 0;
  const auto row = [&](const std::vector<std::string>& left, std::size_t downstream_end) {
    std::vector<std::string> right;
    for (; shown < trace.events.size() && trace.events[shown].end <= downstream_end; ++shown) {
      right.push_back(event_line(shown, trace.events[shown]));
    }
    out += rows(left, right);
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

std::string requests_side_by_side(const testee::Observation& observation) {
  std::string out;
  for (const testee::UpstreamCall& call : observation.calls) {
    out += rows(request_lines("request of the client", observation.request, kLeft),
                request_lines("request to the upstream: " + visible(call.method + " " + call.target),
                              call.body, kRight));
  }
  if (observation.calls.empty())
    out = rows(request_lines("request of the client", observation.request, kLeft),
               {"no request to the upstream"});
  return out;
}

}  // namespace splitproof::report
