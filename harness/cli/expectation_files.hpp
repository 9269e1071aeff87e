#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/result.hpp"
#include "harness/results/expectation.hpp"

namespace splitproof::cli {

/// The content of the files of `--expect` and `--write-expect` before a run.
struct Expectations {
  std::vector<results::Expectation> expected;
  results::ExpectationFile noted;  ///< kept in the text to write
};

/// Reads both files; the path of a missing option is empty. If the file to write is empty or missing, it
/// starts with the expected entries. Returns an Error if a file cannot be read or written; changes nothing.
Result<Expectations> load_expectations(const std::string& expect, const std::string& write_expect);

/// Writes the file of `--write-expect`. Calls `text_after` with its current content, which another run may
/// have written, or with `noted` if it is empty. Complains and returns false on failure.
bool write_expectations(const std::string& path, const results::ExpectationFile& noted,
                        const std::function<std::string(const results::ExpectationFile&)>& text_after);

}  // namespace splitproof::cli
