// What docs/incidents.md promises: its recordings and generators are there, it leaves out no report that it
// ought to have, and it says of each what the collection of reports says.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "harness/dialect/registry.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/split/generator.hpp"
#include "harness/split/recut.hpp"
#include "tests/corpus/reference_campaign.hpp"
#include "tests/harness/observe/shared_streams.hpp"
#include "tests/planned.hpp"

namespace splitproof::incidents_test {
namespace {

using Cells = std::vector<std::string>;

struct Incident {
  std::string id;  // owner/repo#n
  std::string url;
  Cells cells;  // of the row, that of the id first
};

std::vector<std::string> page_lines() {
  std::ifstream page(campaign::source_root() / "docs" / "incidents.md");
  std::vector<std::string> lines;
  for (std::string line; std::getline(page, line);) lines.push_back(line);
  return lines;
}

// The cells of a table's row; none of another line. No cell of this page holds a `|`.
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

std::vector<Incident> incidents(std::size_t columns) {
  static const std::regex kLink(R"(\[([^\]]+#[0-9]+)\]\((https://[^)]+)\))");
  std::vector<Incident> found;
  for (const std::string& line : page_lines()) {
    Cells cells = cells_of(line);
    std::smatch link;
    if (cells.size() == columns && std::regex_match(cells[0], link, kLink)) {
      found.push_back({link[1], link[2], cells});
    }
  }
  return found;
}

std::vector<Incident> reproduced() { return incidents(6); }
std::vector<Incident> not_reproduced() { return incidents(3); }

// Part, shape, what makes it.
std::vector<Cells> shapes() {
  std::vector<Cells> rows;
  bool there = false;
  for (const std::string& line : page_lines()) {
    if (line.starts_with("## ")) there = line == "## Shapes of upstream streams";
    const Cells cells = cells_of(line);
    if (there && cells.size() == 3 && cells[0] != "part") rows.push_back(cells);
  }
  return rows;
}

// What stands in backticks, of a cell that holds nothing else.
std::vector<std::string> cases_in(const std::string& cell) {
  static const std::regex kList("`[^`]+`(, `[^`]+`)*");
  std::vector<std::string> cases;
  if (!std::regex_match(cell, kList)) return cases;
  static const std::regex kCase("`([^`]+)`");
  for (std::sregex_iterator it(cell.begin(), cell.end(), kCase), end; it != end; ++it)
    cases.push_back((*it)[1]);
  return cases;
}

const std::map<std::string, recording::Recording>& recordings() {
  static const std::map<std::string, recording::Recording> kRecordings = [] {
    std::map<std::string, recording::Recording> by_id;
    for (recording::Recording& recording :
         recording::load_corpus({(campaign::source_root() / "corpus").string()}).recordings) {
      by_id.emplace(recording.id, std::move(recording));
    }
    return by_id;
  }();
  return kRecordings;
}

// Whether a fault is written so, and falls into a body of `size` bytes.
bool is_fault(const std::string& label, std::size_t size) {
  static const std::regex kFault("fault=(?:(?:close|reset|stall)@([0-9]+)|flip@([0-9]+):[0-9A-F]{2})");
  std::smatch fault;
  return std::regex_match(label, fault, kFault) && std::stoull(fault[fault[1].matched ? 1 : 2].str()) < size;
}

// Whether `text`, as the page writes cases, is one that the program takes.
testing::AssertionResult is_case(const std::string& text) {
  static const std::string kRecut = "recut=";
  const std::size_t query = std::min(text.find('?'), text.size());
  const std::string name = text.substr(0, query);
  const bool is_of_chat = name.find('/') == std::string::npos;
  const auto found = recordings().find((is_of_chat ? "openai.chat/" : "") + name);
  if (found == recordings().end()) return testing::AssertionFailure() << "there is no recording of " << text;
  const recording::Recording& recording = found->second;
  const std::string label = text.substr(std::min(query + 1, text.size()));
  if (label.empty()) return testing::AssertionSuccess();
  const auto outcome = [&](const auto& result) {
    return result ? testing::AssertionSuccess()
                  : testing::AssertionFailure() << text << ": " << result.error().what;
  };
  if (label.starts_with("fault=")) {
    return is_fault(label, recording.body.size()) ? testing::AssertionSuccess()
                                                  : testing::AssertionFailure() << text << " is no fault";
  }
  if (label.starts_with(kRecut))
    return outcome(
        split::recut(*dialect::dealer_of(recording.protocol), recording.body, label.substr(kRecut.size())));
  std::vector<std::size_t> arrivals;
  for (const recording::Arrival& arrival : recording.arrivals) arrivals.push_back(arrival.end);
  return outcome(split::cuts_of(label, recording.body, arrivals, dialect::format_of(recording.protocol)));
}

// The reports by id; empty where there is no collection.
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

TEST(IncidentsPage, EveryReportIsReproducedByCasesThatExist) {
  EXPECT_GE(reproduced().size(), 250u);
  for (const Incident& incident : reproduced()) {
    const std::vector<std::string> cases = cases_in(incident.cells[4]);
    EXPECT_FALSE(cases.empty()) << incident.id;
    for (const std::string& text : cases) EXPECT_TRUE(is_case(text)) << incident.id;
  }
}

TEST(IncidentsPage, EveryShapeIsMadeByCasesThatExistOrSaysWhyNot) {
  static const std::string kNot = "not generated, because: ";
  std::size_t made = 0;
  for (const Cells& shape : shapes()) {
    const std::vector<std::string> cases = cases_in(shape[2]);
    made += cases.empty() ? 0 : 1;
    for (const std::string& text : cases) EXPECT_TRUE(is_case(text)) << shape[1];
    if (cases.empty()) {
      EXPECT_TRUE(shape[2].starts_with(kNot) && shape[2].size() > kNot.size()) << shape[1];
    }
  }
  EXPECT_GE(made, 60u);
}

TEST(IncidentsPage, NamesNoReportTwice) {
  std::set<std::string> ids;
  for (const auto& table : {reproduced(), not_reproduced()}) {
    for (const Incident& incident : table) {
      EXPECT_TRUE(ids.insert(incident.id).second) << incident.id;
      for (const std::string& cell : incident.cells) EXPECT_NE(cell, "") << incident.id;
    }
  }
}

TEST(IncidentsPage, ARecordingStandsInTheRowsOfTheReportsThatItFollows) {
  std::map<std::string, std::string> made_by;
  for (const Incident& incident : reproduced()) made_by[incident.id] = incident.cells[4];
  std::size_t named = 0;
  for (const auto& [id, recording] : recordings()) {
    if (recording.provenance == nullptr) continue;
    const std::string name = id.substr(id.find('/') + 1);
    for (const nlohmann::json& incident : recording.provenance->value("incidents", nlohmann::json::array())) {
      ++named;
      EXPECT_NE(made_by[incident].find("`" + name + "`"), std::string::npos) << id << " " << incident;
    }
  }
  EXPECT_GE(named, 50u);
}

TEST(IncidentsPage, SaysWhatTheCollectionSays) {
  const auto reports = collection();
  if (reports.empty()) GTEST_SKIP() << "no collection of reports: set SPLITPROOF_SHARED";
  for (const auto& table : {reproduced(), not_reproduced()}) {
    for (const Incident& incident : table) {
      SCOPED_TRACE(incident.id);
      const auto report = reports.find(incident.id);
      if (report == reports.end()) {
        ADD_FAILURE() << "not in the collection";
        continue;
      }
      EXPECT_EQ(incident.url, report->second["url"]);
      const std::string direction = report->second["direction"];
      EXPECT_TRUE(incident.cells[1] == direction || "openai-chat->" + incident.cells[1] == direction);
      if (incident.cells.size() != 6) continue;
      EXPECT_EQ(incident.cells[2].starts_with("*inferred:*"), report->second["trigger_is"] == "inferred");
      std::string obligations;
      for (const std::string obligation : report->second["obligations"]) obligations += obligation + ", ";
      EXPECT_EQ(incident.cells[5] + ", ", obligations.empty() ? "-, " : obligations);
    }
  }
}

TEST(IncidentsPage, LeavesOutNoReportWhoseUpstreamIsChatCompletions) {
  const auto reports = collection();
  if (reports.empty()) GTEST_SKIP() << "no collection of reports: set SPLITPROOF_SHARED";
  std::set<std::string> ids;
  for (const auto& table : {reproduced(), not_reproduced()}) {
    for (const Incident& incident : table) ids.insert(incident.id);
  }
  for (const auto& [id, report] : reports) {
    if (report["direction"].get<std::string>().starts_with("openai-chat->")) {
      EXPECT_EQ(ids.count(id), 1u) << id;
    }
  }
}

}  // namespace
}  // namespace splitproof::incidents_test
