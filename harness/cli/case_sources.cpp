#include "harness/cli/case_sources.hpp"

#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "harness/campaign/case_list.hpp"
#include "harness/cli/read_report.hpp"
#include "harness/read_file.hpp"

namespace splitproof::cli {
namespace {

Result<std::vector<campaign::Case>> cases_of_report(const std::string& path) {
  const auto run = read_report(path, true);
  if (!run) return tl::unexpected(run.error());
  std::vector<campaign::Case> cases;
  const auto add = [&](const std::string& id) {
    auto one = campaign::parse_case(id);
    if (one && one->act.empty()) cases.push_back(*std::move(one));
  };
  for (const results::RecordingResult& result : run->recordings) {
    for (const results::Behaviour& behaviour : result.behaviours) add(behaviour.case_id);
    for (const results::Row& row : result.rows)
      if (row.first) add(row.first->case_id);
  }
  return cases;
}

}  // namespace

Result<std::vector<campaign::Case>> cases_in(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return cases_in((std::filesystem::path(path) / kCasesFile).string());
  if (path.ends_with(".jsonl")) return cases_of_report(path);
  return read_file(path)
      .and_then([&](const std::string& text) { return campaign::CaseList::parse(text, path); })
      .map([](const campaign::CaseList& list) {
        std::vector<campaign::Case> cases;
        for (const campaign::CaseList::Entry& entry : list.entries()) cases.push_back(entry.one);
        return cases;
      });
}

Result<std::vector<campaign::Case>> cases_in(const std::vector<std::string>& paths) {
  std::vector<campaign::Case> cases;
  std::set<std::string> known;
  for (const std::string& path : paths) {
    auto more = cases_in(path);
    if (!more) return more;
    for (campaign::Case& one : *more)
      if (known.insert(campaign::to_string(one)).second) cases.push_back(std::move(one));
  }
  return cases;
}

std::string case_list_text(const std::string& comment, const std::vector<campaign::Case>& cases) {
  std::string text = "# " + comment + "\n";
  for (const campaign::Case& one : cases) text += campaign::to_string(one) + "\n";
  return text;
}

}  // namespace splitproof::cli
