// Claims of docs/data/system-behaviours.tsv: the recordings, requests and rules of its tables exist. The reference
// under a system's profile exercises and meets each of these rules with them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/campaign/meta.hpp"
#include "harness/dialect/request_recordings.hpp"
#include "harness/read_file.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/testee/in_process.hpp"
#include "tests/corpus/reference_campaign.hpp"
#include "tests/docs/incident_rows.hpp"

namespace splitproof::systems_test {
namespace {

namespace fs = std::filesystem;

using docs::Cells;
using Names = std::vector<std::string>;

struct System {
  std::string profile;
  Names upstreams;
  Names clients;
};

// By the name of the system.
const std::map<std::string, std::string>& profiles_of_systems() {
  static const std::map<std::string, std::string> kProfiles = {{"CLIProxyAPI", "cliproxyapi"},
                                                               {"Kiro-Go", "kiro-go"},
                                                               {"WindsurfAPI", "windsurf"},
                                                               {"opencode-claude-bridge", "bridge"},
                                                               {"aprender", "aprender"}};
  return kProfiles;
}

std::vector<System> systems() {
  std::vector<System> all;
  for (const Cells& cells : docs::rows_of_data("systems.tsv"))
    all.push_back({docs::cases_in(cells[0]).front(), docs::cases_in(cells[2]), docs::cases_in(cells[3])});
  return all;
}

struct Behaviour {
  std::string says;
  Names shown_by;  // none: nothing shows it yet
  Names rules;
  bool tested = false;
  Names knobs;                   // each "KNOB: ANSWER" of the test, if the profile has another answer
  bool of_any_upstream = false;  // other upstreams than the system's too
};

Names ids_in(const std::string& cell) {
  Names ids;
  for (std::size_t at = 0; cell != "-" && at < cell.size();) {
    const std::size_t end = std::min(cell.find(", ", at), cell.size());
    ids.push_back(cell.substr(at, end - at));
    at = end + 2;
  }
  return ids;
}

// Reads a cell such as: yes, under `marker: structural`
Names knobs_in(const std::string& cell) {
  constexpr std::string_view kUnder = "yes, under ";
  return cell.starts_with(kUnder) ? docs::cases_in(cell.substr(kUnder.size())) : Names();
}

// By the profile.
std::map<std::string, std::vector<Behaviour>> behaviours() {
  std::map<std::string, std::vector<Behaviour>> all;
  for (const Cells& cells : docs::rows_of_data("system-behaviours.tsv")) {
    SCOPED_TRACE(cells[1]);
    const std::string& tested = cells[5];
    EXPECT_TRUE(cells[2] == "-" || !docs::cases_in(cells[2]).empty());
    for (const std::string& cell : cells) EXPECT_NE(cell, "");
    const Names knobs = knobs_in(tested);
    // A knob may need two protocols.
    const bool of_any = tested == "yes, with other upstreams" || !knobs.empty();
    EXPECT_TRUE(tested == "yes" || !tested.starts_with("yes") || of_any);
    all[profiles_of_systems().at(cells[0])].push_back(
        {cells[1], docs::cases_in(cells[2]), ids_in(cells[3]), tested == "yes" || of_any, knobs, of_any});
  }
  return all;
}

const recording::Corpus& corpus() {
  static const recording::Corpus kCorpus =
      recording::load_corpus({(campaign::source_root() / "corpus").string()});
  return kCorpus;
}

// Returns a recording, or for a request its recordings for each upstream.
std::vector<recording::Recording> recordings_of(const std::string& id) {
  for (const recording::Recording& recording : corpus().recordings)
    if (recording.id == id) return {recording};
  for (const recording::RequestFile& request : corpus().requests)
    if (request.id == id)
      return dialect::recordings_of_request(id, request.path, read_file(request.path).value()).value();
  return {};
}

bool is_rule(const std::string& id) {
  if (campaign::built_in_contracts().find(id) != nullptr) return true;
  const auto& meta = campaign::meta_obligations();
  return std::any_of(meta.begin(), meta.end(), [&](const auto& rule) { return rule.id == id; });
}

TEST(Systems, HaveAProfileAndATableEach) {
  std::set<std::string> told;
  for (const System& system : systems()) {
    SCOPED_TRACE(system.profile);
    told.insert(system.profile);
    const auto loaded = contract::load_profile(system.profile, {campaign::source_root() / "contracts"});
    ASSERT_TRUE(loaded) << describe(loaded.error());
    const Names known = testee::reference_upstreams();
    EXPECT_FALSE(system.upstreams.empty());
    EXPECT_EQ(system.upstreams, loaded->upstreams);
    EXPECT_FALSE(system.clients.empty());
    for (const std::string& upstream : system.upstreams) {
      EXPECT_EQ(std::count(known.begin(), known.end(), upstream), 1) << upstream;
      for (const std::string& client : system.clients)
        EXPECT_TRUE(testee::reference_streams(*loaded, upstream, client)) << upstream << " to " << client;
    }
  }
  std::set<std::string> with_table;
  for (const auto& [profile, rows] : behaviours()) {
    with_table.insert(profile);
    EXPECT_GE(rows.size(), 10U) << profile;
  }
  EXPECT_EQ(told.size(), profiles_of_systems().size());
  EXPECT_EQ(told, with_table);
}

TEST(Systems, NameRecordingsRequestsAndRulesThatThereAre) {
  for (const auto& [profile, rows] : behaviours()) {
    for (const Behaviour& row : rows) {
      SCOPED_TRACE(profile + ": " + row.says);
      for (const std::string& shown : row.shown_by) {
        const fs::path file = campaign::source_root() / "corpus" / shown;
        const bool request = shown.starts_with("requests/");
        EXPECT_TRUE(fs::exists(file.string() + (request ? ".req.json" : ".rec.jsonl"))) << shown;
      }
      EXPECT_TRUE(row.shown_by.empty() || !row.rules.empty());
      for (const std::string& rule : row.rules) EXPECT_TRUE(is_rule(rule)) << rule;
    }
  }
}

TEST(Systems, NameMutantsThatThereAre) {
  std::set<std::string> there;
  for (const auto& table :
       fs::directory_iterator(campaign::source_root() / "harness" / "mutants" / "tables")) {
    std::ifstream lines(table.path());
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("name = \"")) there.insert(line.substr(8, line.size() - 9));
  }
  std::size_t named = 0;
  for (const Cells& cells : docs::rows_of_data("system-defects.tsv")) {
    for (const std::string& mutant : docs::cases_in(cells[2])) {
      EXPECT_EQ(there.count(mutant), 1U) << mutant;
      ++named;
    }
  }
  EXPECT_GE(named, 40U);
}

// Verdicts on rules, for any client of the system; a request belongs to one client.
using Verdicts = std::map<std::string, std::set<contract::Verdict>>;

// A few splits, and a second turn.
constexpr const char* kCases = "*n=[rwb2]*";

contract::Profile profile_of(const System& system, const Names& knobs) {
  auto profile = contract::load_profile(system.profile, {campaign::source_root() / "contracts"}).value();
  for (const std::string& knob : knobs) {
    const std::size_t colon = knob.find(": ");
    profile.knobs.at(knob.substr(0, colon)) = knob.substr(colon + 2);
    profile.name = knob;  // a recording's expectation for the profile's name does not cover this answer
  }
  return profile;
}

Verdicts verdicts_of(const System& system, const std::string& shown, const Behaviour& row) {
  Verdicts verdicts;
  const bool is_request = shown.starts_with("requests/");
  const contract::Profile profile = profile_of(system, row.knobs);
  for (const recording::Recording& recording : recordings_of(shown)) {
    if (!row.of_any_upstream && std::find(system.upstreams.begin(), system.upstreams.end(),
                                          recording.protocol) == system.upstreams.end())
      continue;
    for (const std::string& client : system.clients) {
      if (is_request && !shown.starts_with("requests/" + client + "/")) continue;
      auto streams = testee::reference_streams(profile, recording.protocol, client);
      if (!streams && row.of_any_upstream) continue;
      campaign::ReferenceCampaign reference(recording.protocol);
      reference.profile = profile;
      reference.reference =
          testee::InProcess("reference", std::move(streams).value(), recording.protocol, client);
      for (const auto& result : reference.run({recording}, {{0, false, 1}, {}, false}, kCases))
        for (const results::Row& row : result.rows) verdicts[row.rule].insert(row.verdict);
    }
  }
  return verdicts;
}

TEST(Systems, ArePlayedAsTheirRulesHaveIt) {
  using contract::Verdict;
  const auto rows = behaviours();
  std::size_t held = 0;
  for (const System& system : systems()) {
    std::map<std::tuple<std::string, Names, bool>, Verdicts> known;
    for (const Behaviour& row : rows.at(system.profile)) {
      if (!row.tested) continue;
      SCOPED_TRACE(system.profile + ": " + row.says);
      for (const std::string& rule : row.rules) {
        bool met = false;
        for (const std::string& shown : row.shown_by) {
          const auto [verdicts, is_new] = known.try_emplace({shown, row.knobs, row.of_any_upstream});
          if (is_new) verdicts->second = verdicts_of(system, shown, row);
          ASSERT_FALSE(verdicts->second.empty()) << shown << " is not run";
          EXPECT_EQ(verdicts->second[rule].count(Verdict::violated), 0U) << rule << " with " << shown;
          met = met || verdicts->second[rule].count(Verdict::met) > 0;
        }
        EXPECT_TRUE(met) << rule << " is not exercised";
        ++held;
      }
    }
  }
  std::printf("%zu rules held\n", held);
  EXPECT_GE(held, 320U);
}

}  // namespace
}  // namespace splitproof::systems_test
