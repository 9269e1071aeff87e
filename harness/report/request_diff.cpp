#include "harness/report/request_diff.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/report/cause_text.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::report {
namespace {

constexpr std::size_t kMostLines = 600;  // the comparison needs time and memory for their square
constexpr std::size_t kMostOfLine = 400;

std::vector<std::string> request_rows(std::string_view body) {
  const auto parsed = parse_strict_json(body);
  const std::string text =
      parsed ? (*parsed)->dump(2, ' ', false, nlohmann::json::error_handler_t::replace) : std::string(body);
  std::vector<std::string> rows;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (rows.size() == kMostLines) {
      rows.back() = "...";
      break;
    }
    rows.push_back(clipped(text.substr(begin, end - begin), kMostOfLine));
    begin = end + 1;
  }
  return rows;
}

// Returns the line without its indentation, and without a comma at its end, which depends on the next member.
std::string_view content_of(std::string_view row) {
  row.remove_prefix(std::min(row.find_first_not_of(' '), row.size()));
  if (row.ends_with(',')) row.remove_suffix(1);
  return row;
}

// Returns the value of the line's member; "" for the begin or end of an object or array.
std::string_view value_of(std::string_view row) {
  std::string_view value = content_of(row);
  if (const std::size_t name = value.find("\": "); value.starts_with('"') && name != value.npos)
    value.remove_prefix(name + 3);
  return value.find_first_not_of("{}[]") == value.npos ? std::string_view() : value;
}

// Marks lines whose value is also in a line that only the other request has.
void mark_moved(std::vector<DiffLine>& lines) {
  std::map<DiffSide, std::set<std::string_view>> values;
  for (const DiffLine& line : lines) values[line.side].insert(value_of(line.text));
  for (DiffLine& line : lines) {
    if (line.side == DiffSide::both) continue;
    const std::string_view value = value_of(line.text);
    line.moved =
        value.empty() ||
        values[line.side == DiffSide::client ? DiffSide::upstream : DiffSide::client].contains(value);
  }
}

}  // namespace

std::vector<DiffLine> request_diff(std::string_view client, std::string_view upstream) {
  const std::vector<std::string> a = request_rows(client);
  const std::vector<std::string> b = request_rows(upstream);
  // common[i][j]: length of the longest common subsequence of a[i..] and b[j..].
  std::vector<std::vector<std::uint16_t>> common(a.size() + 1, std::vector<std::uint16_t>(b.size() + 1));
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      common[i][j] = content_of(a[i]) == content_of(b[j])
                         ? static_cast<std::uint16_t>(common[i + 1][j + 1] + 1)
                         : std::max(common[i + 1][j], common[i][j + 1]);
  std::vector<DiffLine> lines;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && content_of(a[i]) == content_of(b[j])) {
      lines.push_back({DiffSide::both, false, b[j]});
      ++i;
      ++j;
    } else if (j == b.size() || (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
      lines.push_back({DiffSide::client, false, a[i++]});
    } else {
      lines.push_back({DiffSide::upstream, false, b[j++]});
    }
  }
  mark_moved(lines);
  return lines;
}

}  // namespace splitproof::report
