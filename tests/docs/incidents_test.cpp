// Claims of the tables of incidents in docs/data: their recordings and generators exist, no required report is missing, and each row agrees
// with the collection of reports.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "harness/dialect/registry.hpp"
#include "harness/split/generator.hpp"
#include "harness/split/recut.hpp"
#include "tests/corpus/reference_campaign.hpp"
#include "tests/docs/incident_rows.hpp"
#include "tests/planned.hpp"

namespace splitproof::incidents_test {
namespace {

using docs::cases_in;
using docs::Cells;
using docs::collection;
using docs::Incident;
using docs::recordings;

constexpr std::size_t kColumnsOfReproduced = 7;

std::vector<Incident> reproduced() { return docs::incidents_of_data("incidents.tsv"); }
std::vector<Incident> not_reproduced() { return docs::incidents_of_data("incidents-not-reproduced.tsv"); }

// Returns part, shape, and its generator.
std::vector<Cells> shapes() { return docs::rows_of_data("upstream-shapes.tsv"); }

// True for a fault in valid form inside a body of `size` bytes.
bool is_fault(const std::string& label, std::size_t size) {
  static const std::regex kFault("fault=(?:(?:close|reset|stall)@([0-9]+)|flip@([0-9]+):[0-9A-F]{2})");
  std::smatch fault;
  return std::regex_match(label, fault, kFault) && std::stoull(fault[fault[1].matched ? 1 : 2].str()) < size;
}

// True if the program accepts `text`, in the page's form of cases.
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

TEST(IncidentsPage, EveryReportIsReproducedByCasesThatExist) {
  EXPECT_GE(reproduced().size(), 250u);
  for (const Incident& incident : reproduced()) {
    const std::vector<std::string> cases = cases_in(incident.cells[4]);
    EXPECT_FALSE(cases.empty()) << incident.id;
    for (const std::string& text : cases) EXPECT_TRUE(is_case(text)) << incident.id;
  }
}

TEST(IncidentsPage, EveryShapeHasExistingCasesOrAReason) {
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

TEST(IncidentsPage, RecordingIsInTheRowsOfItsReports) {
  std::map<std::string, std::string> made_by;
  for (const auto& table : {reproduced(), docs::incidents_of_data("answer-incidents.tsv")})
    for (const Incident& incident : table) made_by[incident.id] += incident.cells[4] + " ";
  std::size_t named = 0;
  for (const auto& [id, recording] : recordings()) {
    if (recording.provenance == nullptr) continue;
    const bool is_of_chat = recording.protocol == "openai.chat";
    const std::string name = is_of_chat ? id.substr(id.find('/') + 1) : id;
    for (const nlohmann::json& incident : recording.provenance->value("incidents", nlohmann::json::array())) {
      ++named;
      const std::string& cases = made_by[incident];
      EXPECT_TRUE(cases.find("`" + name + "`") != std::string::npos ||
                  cases.find("`" + id + "`") != std::string::npos)
          << id << " " << incident;
    }
  }
  EXPECT_GE(named, 50u);
}

TEST(IncidentsPage, AgreesWithTheCollection) {
  const auto reports = collection();
  if (reports.empty()) GTEST_SKIP() << "../shared is absent";
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
      if (incident.cells.size() != kColumnsOfReproduced) continue;
      EXPECT_EQ(incident.cells[2].starts_with("*inferred:*"), report->second["trigger_is"] == "inferred");
      std::string obligations;
      for (const std::string obligation : report->second["obligations"]) obligations += obligation + ", ";
      EXPECT_EQ(incident.cells[5] + ", ", obligations.empty() ? "-, " : obligations);
    }
  }
}

TEST(IncidentsPage, HasAllReportsOnChatCompletions) {
  const auto reports = collection();
  if (reports.empty()) GTEST_SKIP() << "../shared is absent";
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
