// Claims of docs/data/request-incidents.tsv: each report's request exists, and is carried or refused as required. The
// report's bug, inserted into the reference's request for it, violates the rule in the row.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "harness/campaign/asked_judge.hpp"
#include "harness/testee/in_process.hpp"
#include "tests/corpus/reference_campaign.hpp"
#include "tests/docs/incident_rows.hpp"
#include "tests/harness/observe/shared_streams.hpp"

namespace splitproof::request_incidents_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

using docs::protocol_of;

using Ids = std::set<std::string>;

struct Reported {
  std::string id;
  std::string url;
  docs::Cells cells;
  std::string client;
  std::string upstream;
  std::string request;
  std::string falsifier;
  std::string rule;
};

std::string only_case_in(const std::string& cell) {
  const std::vector<std::string> cases = docs::cases_in(cell);
  return cases.size() == 1 ? cases.front() : "";
}

std::vector<Reported> reported() {
  std::vector<Reported> all;
  for (const docs::Incident& incident : docs::incidents_of_data("request-incidents.tsv")) {
    const docs::Cells& cells = incident.cells;
    const std::size_t arrow = cells[1].find("->");
    if (arrow == std::string::npos) continue;
    all.push_back({incident.id, incident.url, cells, protocol_of(cells[1].substr(0, arrow)),
                   protocol_of(cells[1].substr(arrow + 2)), only_case_in(cells[4]), only_case_in(cells[5]),
                   cells[6]});
  }
  return all;
}

// A proxy's change to a request, by its report.
struct Bug {
  json patch;  // a JSON Patch of the reference's upstream request
  // another request of the same client to patch if the row's own is refused; empty: none
  std::string instead;
  int answered = 0;  // status of the answer without an upstream request; otherwise 0
};

// By the report.
const std::map<std::string, Bug>& bugs() {
  static const std::map<std::string, Bug> kAll = [] {
    std::map<std::string, Bug> all;
    std::ifstream lines(campaign::source_root() / "tests" / "docs" / "reported_bugs.jsonl");
    for (std::string line; std::getline(lines, line);) {
      const json bug = json::parse(line);
      const bool is_new = all.emplace(bug["report"], Bug{bug.value("patch", json::array()),
                                                         bug.value("instead", ""), bug.value("answered", 0)})
                              .second;
      EXPECT_TRUE(is_new) << bug["report"];
    }
    return all;
  }();
  return kAll;
}

// The reference of one pair, with its upstream request for a request of the corpus.
class Asking {
 public:
  Asking(const contract::Profile& profile, const std::string& client, const std::string& upstream)
      : profile_(profile),
        client_(client),
        reference_("reference", testee::reference_streams(profile, upstream, client).value(), upstream,
                   client) {
    recording_.protocol = upstream;
    recording_.features = {"request"};
  }

  testee::Observation asked(const std::string& request) {
    const fs::path file = campaign::source_root() / "corpus" / "requests" / client_ / (request + ".req.json");
    const json read = json::parse(observe::file_bytes(file), nullptr, false);
    if (!read.is_object()) return {};
    recording_.requests = std::make_shared<const json>(json{{client_, read["body"]}});
    return reference_.asks(recording_);
  }

  Ids with(contract::Verdict verdict, const testee::Observation& seen) const {
    const testee::Traits traits = reference_.traits();
    Ids ids;
    for (const contract::Judged& judged :
         campaign::AskedJudge(campaign::built_in_contracts(), profile_, traits, recording_).judge(seen))
      if (judged.verdict == verdict) ids.insert(judged.obligation->id);
    return ids;
  }

 private:
  const contract::Profile& profile_;
  std::string client_;
  testee::InProcess reference_;
  recording::Recording recording_;
};

// Returns the observation of a proxy with the bug, from a sound one's.
testee::Observation with_bug(testee::Observation sound, const Bug& bug) {
  if (bug.answered != 0) {
    sound.calls.clear();
    sound.http.emplace().status = bug.answered;
    return sound;
  }
  testee::UpstreamCall& call = sound.calls.front();
  call.body = json::parse(call.body).patch(bug.patch).dump();
  return sound;
}

TEST(RequestIncidents, AreReproducedByTheRequestAndFoundByTheRule) {
  const contract::Profile profile =
      contract::load_profile("default", {campaign::source_root() / "contracts"}).value();
  const std::vector<Reported> all = reported();
  EXPECT_GE(all.size(), 65u);
  for (const Reported& report : all) {
    SCOPED_TRACE(report.id);
    ASSERT_FALSE(report.client.empty() || report.upstream.empty()) << report.cells[1];
    const auto known = bugs().find(report.id);
    ASSERT_NE(known, bugs().end());
    const Bug& bug = known->second;
    Asking asking(profile, report.client, report.upstream);
    const testee::Observation asked_instead =
        bug.instead.empty() ? testee::Observation() : asking.asked(bug.instead);
    testee::Observation sound = asking.asked(report.request);
    ASSERT_FALSE(sound.request.empty()) << "there is no request " << report.request;
    EXPECT_EQ(asking.with(contract::Verdict::violated, sound), Ids());
    EXPECT_EQ(sound.calls.empty(), !bug.instead.empty()) << sound.body;
    if (sound.calls.empty()) sound.calls = asked_instead.calls;
    ASSERT_FALSE(sound.calls.empty());
    const Ids found = asking.with(contract::Verdict::violated, with_bug(sound, bug));
    EXPECT_EQ(found.count(report.rule), 1u) << "found: " << testing::PrintToString(found);
  }
}

TEST(RequestIncidents, AreListedInTheirRuleAndHaveAFalsifierOfIt) {
  std::map<std::string, const contract::Obligation*> rules;
  for (const contract::Obligation* rule : campaign::built_in_contracts().obligations())
    rules[rule->id] = rule;
  for (const Reported& report : reported()) {
    SCOPED_TRACE(report.id);
    const contract::Obligation* rule = rules[report.rule];
    ASSERT_NE(rule, nullptr) << report.rule;
    EXPECT_TRUE(std::any_of(rule->falsifiers.begin(), rule->falsifiers.end(), [&](const auto& falsifier) {
      return fs::path(falsifier.file).stem() == report.falsifier;
    })) << report.falsifier;
    EXPECT_EQ(std::count(rule->seen.begin(), rule->seen.end(), report.id), 1) << report.rule;
  }
}

TEST(RequestIncidents, AreNamedOnceEach) {
  const std::vector<docs::Incident> not_reproduced =
      docs::incidents_of_data("request-incidents-not-reproduced.tsv");
  std::vector<docs::Incident> all = docs::incidents_of_data("request-incidents.tsv");
  EXPECT_EQ(all.size(), bugs().size());
  all.insert(all.end(), not_reproduced.begin(), not_reproduced.end());
  docs::expect_one_row_each(all);
}

// A report may be about a stream and a request, or a client's history. For these the collection describes the stream.
TEST(RequestIncidents, AgreeWithTheCollection) {
  const auto reports = docs::collection();
  if (reports.empty()) GTEST_SKIP() << "../shared is absent";
  Ids of_streams;
  for (const docs::Incident& incident : docs::incidents_of_data("incidents.tsv"))
    of_streams.insert(incident.id);
  std::size_t compared = 0;
  for (const Reported& report : reported()) {
    SCOPED_TRACE(report.id);
    const auto known = reports.find(report.id);
    if (known == reports.end()) continue;
    EXPECT_EQ(report.url, known->second["url"]);
    const std::string direction = known->second["direction"];
    if (of_streams.count(report.id) > 0 || direction.ends_with("->client")) continue;
    ++compared;
    EXPECT_TRUE(report.cells[1] == direction || direction.starts_with("any->")) << direction;
    EXPECT_EQ(report.cells[2].starts_with("*inferred:*"), known->second["trigger_is"] == "inferred");
  }
  EXPECT_GE(compared, 9u);
}

}  // namespace
}  // namespace splitproof::request_incidents_test
