#include "tests/docs/incident_rows.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>
#include <utility>

#include "tests/corpus/reference_campaign.hpp"
#include "tests/harness/observe/shared_streams.hpp"

namespace splitproof::docs {

namespace {

Cells cells_of(const std::string& line) {
  Cells cells;
  std::istringstream row(line);
  for (std::string cell; std::getline(row, cell, '\t');) cells.push_back(cell);
  return cells;
}

}  // namespace

std::vector<Cells> rows_of_data(const std::string& name) {
  std::ifstream file(campaign::source_root() / "docs" / "data" / name);
  std::vector<Cells> rows;
  for (std::string line; std::getline(file, line);)
    if (!line.starts_with("#")) rows.push_back(cells_of(line));
  if (!rows.empty()) rows.erase(rows.begin());  // the names of the columns
  return rows;
}

std::vector<Incident> incidents_of_data(const std::string& name) {
  static const std::regex kLink(R"(\[([^\]]+#[0-9]+)\]\((https://[^)]+)\))");
  std::vector<Incident> found;
  for (const Cells& cells : rows_of_data(name)) {
    std::smatch link;
    EXPECT_TRUE(std::regex_match(cells[0], link, kLink)) << name << ": " << cells[0];
    found.push_back({link[1], link[2], cells});
  }
  return found;
}

std::vector<std::string> cases_in(const std::string& cell) {
  static const std::regex kList("`[^`]+`(, `[^`]+`)*");
  std::vector<std::string> cases;
  if (!std::regex_match(cell, kList)) return cases;
  static const std::regex kCase("`([^`]+)`");
  for (std::sregex_iterator it(cell.begin(), cell.end(), kCase), end; it != end; ++it)
    cases.push_back((*it)[1]);
  return cases;
}

std::map<std::string, nlohmann::json> collection() {
  std::map<std::string, nlohmann::json> reports;
  const auto shared = observe::shared_recordings();
  if (shared.empty()) return reports;
  std::ifstream lines(shared.parent_path() / "design" / "incidents.jsonl");
  for (std::string line; std::getline(lines, line);) {
    nlohmann::json report = nlohmann::json::parse(line);
    std::string id = report["repo"].get<std::string>() + "#" + std::to_string(report["number"].get<int>());
    reports.emplace(std::move(id), std::move(report));
  }
  return reports;
}

}  // namespace splitproof::docs
