#include "tests/docs/incident_rows.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

#include "harness/recording/corpus.hpp"
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

std::string protocol_of(const std::string& word) {
  static const std::map<std::string, std::string> kProtocols = {
      {"anthropic", "anthropic.messages"},
      {"bedrock", "bedrock.converse"},
      {"gemini", "google.gemini"},
      {"openai-chat", "openai.chat"},
      {"openai-responses", "openai.responses"},
  };
  const auto found = kProtocols.find(word);
  return found == kProtocols.end() ? "" : found->second;
}

const std::map<std::string, recording::Recording>& recordings() {
  static const std::map<std::string, recording::Recording> kRecordings = [] {
    std::map<std::string, recording::Recording> by_id;
    for (recording::Recording& recording :
         recording::load_corpus({(campaign::source_root() / "corpus").string()}).recordings)
      by_id.emplace(recording.id, std::move(recording));
    return by_id;
  }();
  return kRecordings;
}

void expect_one_row_each(const std::vector<Incident>& incidents) {
  std::set<std::string> ids;
  for (const Incident& incident : incidents) {
    EXPECT_TRUE(ids.insert(incident.id).second) << incident.id;
    for (const std::string& cell : incident.cells) EXPECT_NE(cell, "") << incident.id;
    const std::size_t number = incident.id.find('#');
    const std::string base = "https://github.com/" + incident.id.substr(0, number);
    const std::string end = "/" + incident.id.substr(number + 1);
    EXPECT_TRUE(incident.url == base + "/issues" + end || incident.url == base + "/pull" + end)
        << incident.url;
  }
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
