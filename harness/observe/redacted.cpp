#include "harness/observe/redacted.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "harness/observe/internal_paths.hpp"
#include "harness/observe/json_progress.hpp"

namespace splitproof::observe {
namespace {

using Span = std::pair<std::size_t, std::size_t>;

std::size_t end_of_path(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    std::size_t next = at;
    while (next < text.size() && text[next] == '.' && next - at <= kMostPathDots) ++next;
    if (next - at > kMostPathDots || next == text.size() || !is_path_byte(text[next])) return at;
    at = next + 1;
  }
  return at;
}

std::vector<Span> paths_in(std::string_view text) {
  std::vector<Span> paths;
  for (std::size_t from = 0;;) {
    std::optional<Span> next;  // end and begin of a prefix
    for (const std::string_view prefix : kInternalPaths) {
      const std::size_t begin = text.find(prefix, from);
      if (begin == text.npos) continue;
      const Span found(begin + prefix.size(), begin);
      if (!next || found < *next) next = found;
    }
    if (!next) return paths;
    from = end_of_path(text, next->first);
    paths.emplace_back(next->second, from);
  }
}

// A decoded JSON string. For each of its bytes it has the offset of the source bytes, and after them their
// end.
struct ReadString {
  std::string text;
  std::vector<std::size_t> places;
  std::size_t end = 0;  // end of its content
};

std::uint32_t hex_at(std::string_view json, std::size_t at) {
  std::uint32_t code = 0;
  for (const char c : json.substr(at, 4)) {
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    code = code << 4U | static_cast<std::uint32_t>(digit);
  }
  return code;
}

// Reads the string at `at`, which follows the opening quote or the last read byte.
ReadString read_string(std::string_view json, std::size_t at) {
  constexpr std::string_view kShort = "\"\"\\\\//b\bf\fn\nr\rt\t";
  ReadString read;
  while (at < json.size() && json[at] != '"') {
    const std::size_t begin = at;
    char said = json[at++];
    if (said == '\\') {
      if (at == json.size()) break;
      const char kind = json[at++];
      if (kind == 'u') {
        if (json.size() - at < 4) break;
        const std::uint32_t code = hex_at(json, at);
        at += 4;
        // No path contains other characters.
        said = code < 0x80 ? static_cast<char>(code) : '\x80';
      } else {
        said = kShort[kShort.find(kind) + 1];
      }
    }
    read.text += said;
    read.places.push_back(begin);
    read.end = at;
  }
  read.places.push_back(read.end);
  return read;
}

}  // namespace

std::string_view marker_of(Choices::Marker marker) {
  if (marker == Choices::Marker::none) return {};
  return marker == Choices::Marker::ellipsis ? "\u2026" : "<workspace>";
}

std::string redacted(std::string_view text, std::string_view marker) {
  std::string told;
  std::size_t from = 0;
  for (const auto& [begin, end] : paths_in(text)) {
    told.append(text.substr(from, begin - from)).append(marker);
    from = end;
  }
  return told.append(text.substr(from));
}

std::string redacted_arguments(std::string_view arguments, std::string_view marker) {
  // The offset at which the arguments stop being a prefix of JSON.
  JsonProgress progress;
  std::size_t readable = 0;
  while (readable < arguments.size()) {
    progress.take(arguments.substr(readable, 1));
    if (!progress.possible()) break;
    ++readable;
  }
  const std::string_view json = arguments.substr(0, readable);
  std::string told;
  std::vector<bool> objects;  // open containers, outermost first
  bool key = false;           // the next string is a key
  for (std::size_t at = 0; at < json.size();) {
    const char c = json[at];
    if (c == '{' || c == '[') objects.push_back(c == '{');
    if ((c == '}' || c == ']') && !objects.empty()) objects.pop_back();
    if (c == '{' || c == ',') key = !objects.empty() && objects.back();
    if (c == ':' || c == '[') key = false;
    told += c;
    ++at;
    if (c != '"') continue;
    const ReadString read = read_string(json, at);
    std::size_t from = at;
    for (const auto& [begin, end] : key ? std::vector<Span>() : paths_in(read.text)) {
      told.append(json.substr(from, read.places[begin] - from)).append(marker);
      from = end < read.text.size() ? read.places[end] : read.end;
    }
    const std::size_t close = std::max(read.end, at);
    std::size_t behind = close;
    while (behind < json.size() && json[behind] != '"') ++behind;  // an incomplete escape
    behind = std::min(behind + 1, json.size());
    told.append(json.substr(from, behind - from));
    at = behind;
  }
  return told.append(arguments.substr(readable));
}

}  // namespace splitproof::observe
