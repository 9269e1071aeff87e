#include "harness/cli/expectation_files.hpp"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "harness/cli/sources.hpp"
#include "harness/read_file.hpp"

namespace splitproof::cli {
namespace {

Result<campaign::ExpectationFile> read_expectations(const std::string& path) {
  return read_file(path).and_then(
      [&](const std::string& text) { return campaign::parse_expectations(text, path); });
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
  // Opened to append, the file is made where it can be and keeps what it says. One that was made is taken away again: a
  // run that is broken off leaves none.
  std::error_code ignored;
  const bool is_new = !std::filesystem::exists(write_expect, ignored);
  if (!std::ofstream(write_expect, std::ios::app)) {
    return tl::unexpected(
        Error{"cannot be written", write_expect, 0, "give --write-expect a path in a folder that exists"});
  }
  if (is_new) std::filesystem::remove(write_expect, ignored);
  if (!std::filesystem::is_regular_file(write_expect, ignored)) return all;  // a device has nothing to keep
  const Result<campaign::ExpectationFile> read = read_expectations(write_expect);
  if (!read) return tl::unexpected(read.error());
  if (!read->lines.empty()) all.noted = *read;
  return all;
}

bool write_expectations(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  if (out.flush()) return true;
  complain(Error{"could not be written", path, 0, {}});
  return false;
}

}  // namespace splitproof::cli
