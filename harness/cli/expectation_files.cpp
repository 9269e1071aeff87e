#include "harness/cli/expectation_files.hpp"

#include <filesystem>
#include <system_error>

#include "harness/cli/sources.hpp"
#include "harness/descriptor.hpp"
#include "harness/read_file.hpp"
#include "harness/write_file.hpp"

namespace splitproof::cli {
namespace {

Result<campaign::ExpectationFile> read_expectations(const std::string& path) {
  return read_file(path).and_then(
      [&](const std::string& text) { return campaign::parse_expectations(text, path); });
}

// What a file to write says now, or `otherwise` where that is nothing.
Result<campaign::ExpectationFile> what_to_keep(const std::string& path,
                                               const campaign::ExpectationFile& otherwise) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return otherwise;  // a device has nothing to keep
  Result<campaign::ExpectationFile> read = read_expectations(path);
  if (read && read->lines.empty()) return otherwise;
  return read;
}

}  // namespace

Result<Expectations> load_expectations(const std::string& expect, const std::string& write_expect) {
  Expectations all;
  if (!expect.empty()) {
    const Result<campaign::ExpectationFile> read = read_expectations(expect);
    if (!read) return tl::unexpected(read.error());
    all.expected = read->entries;
    all.noted = *read;
  }
  if (write_expect.empty()) return all;
  const auto writable = check_writable(write_expect, "give --write-expect a path in a folder that exists");
  if (!writable) return tl::unexpected(writable.error());
  Result<campaign::ExpectationFile> noted = what_to_keep(write_expect, all.noted);
  if (!noted) return tl::unexpected(noted.error());
  all.noted = *std::move(noted);
  return all;
}

bool write_expectations(const std::string& path, const campaign::ExpectationFile& noted,
                        const std::function<std::string(const campaign::ExpectationFile&)>& text_after) {
  const auto written = lock_folder_of(path).and_then([&](const Descriptor&) {
    return what_to_keep(path, noted).and_then([&](const campaign::ExpectationFile& now) {
      return write_file(path, text_after(now));
    });
  });
  if (written) return true;
  complain(written.error());
  return false;
}

}  // namespace splitproof::cli
