#include "harness/ui/report_folder.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/json_member.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::ui {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kReport = ".jsonl";
constexpr std::string_view kPart = ".jsonl.part";
constexpr std::size_t kMostOfLine = 4 << 20;  // of the first and the last line
constexpr std::size_t kMostGrown = 4 << 20;   // bytes of one answer

bool has_report_name(const std::string& name) { return name.ends_with(kReport) || name.ends_with(kPart); }

std::string bytes_at(std::ifstream& file, std::uint64_t from, std::size_t most) {
  std::string bytes(most, '\0');
  file.clear();
  file.seekg(static_cast<std::streamoff>(from));
  file.read(bytes.data(), static_cast<std::streamsize>(most));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

std::string first_line(std::ifstream& file) {
  const std::string begin = bytes_at(file, 0, kMostOfLine);
  return begin.substr(0, begin.find('\n'));
}

// Returns the last line, or "" if it has no line feed or is too long.
std::string last_line(std::ifstream& file, std::uint64_t size) {
  const std::uint64_t from = size > kMostOfLine ? size - kMostOfLine : 0;
  std::string end = bytes_at(file, from, kMostOfLine);
  if (!end.ends_with('\n')) return {};
  end.pop_back();
  const std::size_t before = end.rfind('\n');
  if (before == std::string::npos && from > 0) return {};
  return before == std::string::npos ? end : end.substr(before + 1);
}

std::int64_t seconds_of(fs::file_time_type time) {
  const auto since = fs::file_time_type::clock::to_sys(time).time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(since).count();
}

std::size_t number_at(const json& object, const char* name) {
  const json& value = member(object, name);
  return value.is_number_unsigned() ? value.get<std::size_t>() : 0;
}

std::optional<ReportEntry> entry_of(const fs::directory_entry& file) {
  std::error_code error;
  ReportEntry entry;
  entry.name = file.path().filename().string();
  if (!has_report_name(entry.name) || !file.is_regular_file(error)) return std::nullopt;
  std::ifstream in(file.path(), std::ios::binary);
  const auto head = parse_strict_json(first_line(in));
  if (!head || !(*head)->is_object() || !(*head)->contains("splitproof")) return std::nullopt;
  for (const json& target : member(**head, "targets"))
    if (target.is_string()) entry.targets.push_back(target.get<std::string>());
  entry.grows = entry.name.ends_with(kPart);
  const std::uint64_t size = file.file_size(error);
  const auto last = parse_strict_json(last_line(in, size));
  if (last && (*last)->is_object()) {
    entry.verdict = string_at(**last, "verdict");
    if (!(*last)->contains("not_exercised")) entry.verdict.clear();  // a row, not the last line of a report
    entry.cases = number_at(**last, "cases");
    entry.findings = number_at(**last, "findings");
  }
  entry.written = seconds_of(file.last_write_time(error));
  return entry;
}

}  // namespace

std::vector<ReportEntry> ReportFolder::list() const {
  std::vector<ReportEntry> all;
  std::error_code error;
  for (fs::directory_iterator file(folder_, error), end; !error && file != end; file.increment(error))
    if (auto entry = entry_of(*file)) all.push_back(std::move(*entry));
  std::sort(all.begin(), all.end(), [](const ReportEntry& a, const ReportEntry& b) {
    return std::tuple(!a.grows, -a.written, a.name) < std::tuple(!b.grows, -b.written, b.name);
  });
  return all;
}

std::optional<fs::path> ReportFolder::find(const std::string& name) const {
  for (const ReportEntry& entry : list())
    if (entry.name == name) return folder_ / name;
  return std::nullopt;
}

Result<GrownPart> ReportFolder::grown(const std::string& name, std::uint64_t from) const {
  GrownPart grown;
  grown.next = from;
  if (name.find('/') != std::string::npos || !name.ends_with(kPart))
    return tl::unexpected(Error{"is not the part of a report", name, 0, {}});
  std::ifstream in(folder_ / name, std::ios::binary);
  if (!in) {
    grown.ended = true;
    return grown;
  }
  std::string bytes = bytes_at(in, from, kMostGrown);
  bytes.resize(bytes.rfind('\n') == std::string::npos ? 0 : bytes.rfind('\n') + 1);
  grown.next += bytes.size();
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const auto row = parse_strict_json(rest.substr(0, end));
    rest.remove_prefix(end + 1);
    if (!row || !(*row)->is_object() || !(*row)->contains("obligation")) continue;
    ++grown.rows;
    std::string target = string_at(**row, "target");
    std::string recording = string_at(**row, "recording");
    const std::string result = target + " " + recording;
    if (grown.results.empty() || grown.results.back() != result) grown.results.push_back(result);
    if (string_at(**row, "verdict") != "violated" || member(**row, "expected") == json(true)) continue;
    grown.findings.push_back({std::move(target), std::move(recording), string_at(**row, "obligation"),
                              string_at(**row, "level"), string_at(**row, "message")});
  }
  return grown;
}

}  // namespace splitproof::ui
