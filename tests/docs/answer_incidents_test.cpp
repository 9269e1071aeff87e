// Claims of docs/data/answer-incidents.tsv: the reference's answer to the case conforms, and the report's answer violates the rule of
// the row. The report's answer is the reference's, changed as tests/docs/reported_answers.jsonl says.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/campaign/case_lab.hpp"
#include "harness/observe/trace.hpp"
#include "harness/testee/in_process.hpp"
#include "tests/corpus/reference_campaign.hpp"
#include "tests/docs/incident_rows.hpp"

namespace splitproof::answer_incidents_test {
namespace {

using docs::protocol_of;
using docs::recordings;
using nlohmann::json;

using Ids = std::set<std::string>;

struct Reported {
  std::string id;
  std::string url;
  docs::Cells cells;
  std::string upstream;
  std::string client;
  std::string one;  // the case
  std::string rule;
};

std::vector<Reported> reported() {
  std::vector<Reported> all;
  for (const docs::Incident& incident : docs::incidents_of_data("answer-incidents.tsv")) {
    const docs::Cells& cells = incident.cells;
    const std::size_t arrow = std::min(cells[1].find("->"), cells[1].size());
    const std::vector<std::string> cases = docs::cases_in(cells[4]);
    all.push_back({incident.id, incident.url, cells, protocol_of(cells[1].substr(0, arrow)),
                   arrow == cells[1].size() ? "" : protocol_of(cells[1].substr(arrow + 2)),
                   cases.size() == 1 ? cases.front() : "", cells[5]});
  }
  return all;
}

// By the report: a JSON Patch of the list of events of the reference's answer.
const std::map<std::string, json>& patches() {
  static const std::map<std::string, json> kAll = [] {
    std::map<std::string, json> all;
    std::ifstream lines(campaign::source_root() / "tests" / "docs" / "reported_answers.jsonl");
    for (std::string line; std::getline(lines, line);) {
      const json read = json::parse(line);
      EXPECT_TRUE(all.emplace(read["report"], read["patch"]).second) << read["report"];
    }
    return all;
  }();
  return kAll;
}

// Returns the events of a stream: `event`, its type, if it has one, and `data`, as JSON if it is JSON.
json events_of(const std::string& body) {
  json events = json::array();
  for (const observe::Event& event : observe::read_trace(body, observe::DataKind::text).events) {
    json one = json::object();
    if (event.event) one["event"] = *event.event;
    one["data"] = json::parse(event.data, nullptr, false);
    if (one["data"].is_discarded()) one["data"] = event.data;
    events.push_back(std::move(one));
  }
  return events;
}

// The reverse. An event with `bytes` is written as these bytes.
std::string body_of(const json& events) {
  std::string body;
  for (const json& one : events) {
    if (one.contains("bytes")) {
      body += one["bytes"].get<std::string>();
      continue;
    }
    if (one.contains("event")) body += "event: " + one["event"].get<std::string>() + "\n";
    body +=
        "data: " + (one["data"].is_string() ? one["data"].get<std::string>() : one["data"].dump()) + "\n\n";
  }
  return body;
}

// The case of a report between its client and the recording.
class Exchange {
 public:
  Exchange(const contract::Profile& profile, const recording::Recording& recording, const Reported& report)
      : profile_(profile),
        recording_(recording),
        one_(campaign::parse_case(report.one).value()),
        reference_("reference", testee::reference_streams(profile, report.upstream, report.client).value(),
                   report.upstream, report.client) {
    one_.client = report.client;
  }

  std::string answer_of_reference() const {
    campaign::Seen seen(reference_);
    return lab(std::ref(seen)).run(one_).value().seen.body;
  }

  // Returns the rules that a proxy with this answer violates.
  Ids violated_by(const std::string& answer) const {
    const auto says_it = [&](const campaign::Upstream&, const testee::Exchange&) {
      testee::Observation seen;
      seen.body = answer;
      return seen;
    };
    campaign::CaseLab judges = lab(says_it);
    const campaign::JudgedCase run = judges.run(one_).value();
    Ids ids;
    for (const contract::Judged& judged : run.all)
      if (judged.verdict == contract::Verdict::violated) ids.insert(judged.obligation->id);
    return ids;
  }

 private:
  // Every answer is judged as that of a program outside, which may choose ids.
  campaign::CaseLab lab(campaign::Observing observing) const {
    testee::Traits traits = reference_.traits();
    traits.outside = true;
    return {campaign::built_in_contracts(), profile_, traits, recording_, std::move(observing)};
  }

  const contract::Profile& profile_;
  const recording::Recording& recording_;
  campaign::Case one_;
  testee::InProcess reference_;
};

TEST(AnswerIncidents, AreReproducedByTheCaseAndFoundByTheRule) {
  const contract::Profile profile =
      contract::load_profile("default", {campaign::source_root() / "contracts"}).value();
  const std::vector<Reported> all = reported();
  EXPECT_GE(all.size(), 25u);
  EXPECT_EQ(all.size(), patches().size());
  for (const Reported& report : all) {
    SCOPED_TRACE(report.id);
    ASSERT_FALSE(report.upstream.empty() || report.client.empty()) << report.cells[1];
    const auto patch = patches().find(report.id);
    ASSERT_NE(patch, patches().end());
    const auto recording = recordings().find(report.one.substr(0, report.one.find('?')));
    ASSERT_NE(recording, recordings().end()) << report.one;
    ASSERT_EQ(recording->second.protocol, report.upstream);
    const Exchange exchange(profile, recording->second, report);
    const json right = events_of(exchange.answer_of_reference());
    EXPECT_EQ(exchange.violated_by(body_of(right)), Ids()) << body_of(right);
    const std::string wrong = body_of(right.patch(patch->second));
    const Ids found = exchange.violated_by(wrong);
    EXPECT_EQ(found.count(report.rule), 1u) << "found: " << testing::PrintToString(found) << "\n"
                                            << right.dump(1) << "\n"
                                            << wrong;
  }
}

TEST(AnswerIncidents, AreNamedByTheirRuleAndTheirRecording) {
  std::map<std::string, const contract::Obligation*> rules;
  for (const contract::Obligation* rule : campaign::built_in_contracts().obligations())
    rules[rule->id] = rule;
  for (const Reported& report : reported()) {
    SCOPED_TRACE(report.id);
    const contract::Obligation* rule = rules[report.rule];
    ASSERT_NE(rule, nullptr) << report.rule;
    EXPECT_EQ(std::count(rule->seen.begin(), rule->seen.end(), report.id), 1) << report.rule;
    const auto recording = recordings().find(report.one.substr(0, report.one.find('?')));
    ASSERT_NE(recording, recordings().end()) << report.one;
    ASSERT_NE(recording->second.provenance, nullptr) << recording->first;
    const json named = recording->second.provenance->value("incidents", json::array());
    EXPECT_EQ(std::count(named.begin(), named.end(), json(report.id)), 1) << recording->first;
  }
}

TEST(AnswerIncidents, AreNamedOnceEach) {
  docs::expect_one_row_each(docs::incidents_of_data("answer-incidents.tsv"));
}

TEST(AnswerIncidents, AgreeWithTheCollection) {
  const auto reports = docs::collection();
  if (reports.empty()) GTEST_SKIP() << "../shared is absent";
  std::size_t compared = 0;
  for (const Reported& report : reported()) {
    const auto known = reports.find(report.id);
    if (known == reports.end()) continue;
    SCOPED_TRACE(report.id);
    ++compared;
    EXPECT_EQ(report.url, known->second["url"]);
    EXPECT_EQ(report.cells[1], known->second["direction"]);
    EXPECT_EQ(report.cells[2].starts_with("*inferred:*"), known->second["trigger_is"] == "inferred");
  }
  EXPECT_GE(compared, 15u);
}

}  // namespace
}  // namespace splitproof::answer_incidents_test
