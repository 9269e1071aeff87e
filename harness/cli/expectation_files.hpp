#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/result.hpp"
#include "harness/results/expectation.hpp"

namespace splitproof::cli {

/// What the files of `--expect` and `--write-expect` say before a run.
struct Expectations {
  std::vector<results::Expectation> expected;
  results::ExpectationFile noted;  ///< that the text to write keeps
};

/// Reads both files; a path is empty where its option is not given. A file to write that says nothing yet, or is not
/// there, starts from what is expected. An Error says what cannot be read or written; nothing is lost by asking.
Result<Expectations> load_expectations(const std::string& expect, const std::string& write_expect);

/// Writes the file of `--write-expect`: the text that is to follow what it says now, which another run may have written
/// since it was loaded, or `noted` where it says nothing. Where that fails it complains and returns false.
bool write_expectations(const std::string& path, const results::ExpectationFile& noted,
                        const std::function<std::string(const results::ExpectationFile&)>& text_after);

}  // namespace splitproof::cli
