#include "harness/recording/stream_lines.hpp"

#include <algorithm>
#include <array>

#include "harness/strict_json.hpp"

namespace splitproof::recording {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  lines.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string joined(const std::vector<std::string_view>& lines) {
  std::string text;
  for (const std::string_view line : lines) text.append(line) += '\n';
  return text;
}

std::string_view without_head(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of("\r\n"), text.size()));
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

bool is_field(std::string_view line) {
  constexpr std::array<std::string_view, 4> kFields = {"data", "event", "id", "retry"};
  if (line.starts_with(':')) return true;
  return std::any_of(kFields.begin(), kFields.end(), [&](std::string_view field) {
    return line.starts_with(field) && (line.size() == field.size() || line[field.size()] == ':');
  });
}

bool has_data(std::string_view line) { return line.starts_with("data:"); }

bool is_stream(std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(text);
  bool data = false;
  for (const std::string_view& line : lines) {
    const bool cut_off = &line == &lines.back() && !text.ends_with('\n');
    if (!line.empty() && !is_field(line) && !cut_off) return false;
    data = data || has_data(line);
  }
  return data;
}

bool begins_stream(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  bool is_first = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());  // a CR alone ends a line too
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (is_blank(line)) continue;
    if (is_first && !is_field(line)) return false;
    is_first = false;
    if (has_data(line)) return true;
  }
  return false;
}

bool lacks_blank_lines(std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(text);
  const auto first = std::find_if(lines.begin(), lines.end(), has_data);
  const auto last = std::find_if(lines.rbegin(), lines.rend(), has_data).base();
  return first != lines.end() && last - first > 1 && std::find_if(first, last, is_blank) == last;
}

std::size_t shortened_line(const std::vector<std::string_view>& lines,
                           const std::vector<std::string_view>& whole) {
  std::size_t longest = 0;
  std::size_t as_long = 0;
  for (const std::string_view line : whole) {
    as_long = line.size() > longest ? 1 : as_long + (line.size() == longest ? 1 : 0);
    longest = std::max(longest, line.size());
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!has_data(lines[i]) || ends_in_whole_line(lines[i])) continue;
    const bool has_ellipsis = lines[i].ends_with("...") || lines[i].ends_with("\xE2\x80\xA6");
    if (has_ellipsis || (as_long > 1 && whole[i].size() == longest)) return i + 1;
  }
  return 0;
}

bool ends_in_whole_line(std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(text);
  if (lines.empty() || is_blank(lines.back()) || lines.back().starts_with(':')) return true;
  if (!has_data(lines.back())) return false;
  std::string_view data = lines.back().substr(5);
  data.remove_prefix(std::min(data.find_first_not_of(' '), data.size()));
  if (data.starts_with('{')) return parse_strict_json(data).has_value();
  return !data.starts_with('[') || data.ends_with(']');
}

}  // namespace splitproof::recording
