#pragma once

#include <string>
#include <vector>

#include "harness/campaign/case.hpp"
#include "harness/result.hpp"

namespace splitproof::cli {

/// Name of the list of cases in the folder of a search, and of its log.
inline constexpr const char* kCasesFile = "cases.txt";
inline constexpr const char* kSearchLog = "log.jsonl";

/// Returns the cases in a list, in the folder of a search (`fuzz --corpus-out`), or in a report (`run --report jsonl:PATH`):
/// there, the case of each finding and of each behaviour. Cases with acts are left out. Each case comes once.
Result<std::vector<campaign::Case>> cases_in(const std::string& path);

/// Does the same for several, and keeps the first of equal cases.
Result<std::vector<campaign::Case>> cases_in(const std::vector<std::string>& paths);

/// Returns the text of a list of cases, with comment lines before it.
std::string case_list_text(const std::string& comment, const std::vector<campaign::Case>& cases);

}  // namespace splitproof::cli
