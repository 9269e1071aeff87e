#include "harness/cli/expectation_files.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "harness/cli/sources.hpp"
#include "harness/descriptor.hpp"
#include "harness/read_file.hpp"
#include "harness/visible.hpp"
#include "harness/write_file.hpp"

namespace splitproof::cli {
namespace {

// In UTC, as 2026-11-23.
std::string today() {
  const std::chrono::year_month_day day(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

Result<results::ExpectationFile> read_expectations(const std::string& path) {
  return read_file(path).and_then(
      [&](const std::string& text) { return results::parse_expectations(text, path); });
}

// Returns the current content of a file to write, or `otherwise` if it is empty.
Result<results::ExpectationFile> what_to_keep(const std::string& path,
                                              const results::ExpectationFile& otherwise) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return otherwise;  // a device has no content
  Result<results::ExpectationFile> read = read_expectations(path);
  if (read && read->lines.empty()) return otherwise;
  if (read) results::take_expired(read->entries, today());
  return read;
}

bool is_bare(const std::string& glob) { return glob.find_first_not_of('*') == std::string::npos; }

// Removes and reports expired entries. Warns about an entry that accepts everything, and about too many broad
// ones.
void check_entries(std::vector<results::Expectation>& entries) {
  constexpr std::size_t kMostBare = 3;
  for (const results::Expectation& over : results::take_expired(entries, today()))
    complain(Error{"until=" + over.until + " has passed, so splitproof ignores this entry", over.file,
                   over.line, "fix the failure, or set a later date"});
  std::vector<std::size_t> bare;
  bool accepts_all = false;
  for (const results::Expectation& one : entries) {
    if (one.of_target || !one.says.empty() || !(is_bare(one.recording) || is_bare(one.obligation))) continue;
    bare.push_back(one.line);
    accepts_all = accepts_all || (is_bare(one.recording) && is_bare(one.obligation));
  }
  if (bare.size() > kMostBare || accepts_all)
    std::cerr << fmt::format(
        "splitproof: {}: line {}: an entry whose glob is * accepts every violation, also new bugs; "
        "add says=\"TEXT\" with the beginning of the message\n",
        visible(entries.front().file), fmt::join(bare, ", "));
}

}  // namespace

Result<Expectations> load_expectations(const std::string& expect, const std::string& write_expect) {
  Expectations all;
  if (!expect.empty()) {
    const Result<results::ExpectationFile> read = read_expectations(expect);
    if (!read) return tl::unexpected(read.error());
    all.expected = read->entries;
    all.noted = *read;
    results::take_expired(all.noted.entries, today());
  }
  check_entries(all.expected);
  if (write_expect.empty()) return all;
  const auto writable = check_writable(write_expect, "pass --write-expect a path in an existing folder");
  if (!writable) return tl::unexpected(writable.error());
  Result<results::ExpectationFile> noted = what_to_keep(write_expect, all.noted);
  if (!noted) return tl::unexpected(noted.error());
  all.noted = *std::move(noted);
  return all;
}

bool write_expectations(const std::string& path, const results::ExpectationFile& noted,
                        const std::function<std::string(const results::ExpectationFile&)>& text_after) {
  const auto written = lock_folder_of(path).and_then([&](const Descriptor&) {
    return what_to_keep(path, noted).and_then([&](const results::ExpectationFile& now) {
      return write_file(path, text_after(now));
    });
  });
  if (written) return true;
  complain(written.error());
  return false;
}

}  // namespace splitproof::cli
