#include "tests/docs/incident_rows.hpp"

#include <fstream>
#include <regex>
#include <sstream>
#include <utility>

#include "tests/corpus/reference_campaign.hpp"
#include "tests/harness/observe/shared_streams.hpp"

namespace splitproof::docs {

std::vector<std::string> lines_of_page(const std::string& name) {
  std::ifstream page(campaign::source_root() / "docs" / name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(page, line);) lines.push_back(line);
  return lines;
}

Cells cells_of(const std::string& line) {
  Cells cells;
  if (!line.starts_with("| ")) return cells;
  std::istringstream row(line.substr(2));
  for (std::string cell; std::getline(row, cell, '|');) {
    const std::size_t first = cell.find_first_not_of(' ');
    const std::size_t last = cell.find_last_not_of(' ');
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

std::vector<Incident> incidents_of_page(const std::string& name, std::size_t columns) {
  static const std::regex kLink(R"(\[([^\]]+#[0-9]+)\]\((https://[^)]+)\))");
  std::vector<Incident> found;
  for (const std::string& line : lines_of_page(name)) {
    Cells cells = cells_of(line);
    std::smatch link;
    if (cells.size() == columns && std::regex_match(cells[0], link, kLink)) {
      found.push_back({link[1], link[2], cells});
    }
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
