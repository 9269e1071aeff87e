// Every obligation can be violated, by a stream that trips only named rules, and met, by a stream that trips none. A
// rule that cannot fail, or that fails on good streams, does not pass here.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "harness/campaign/meta.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/falsify/examination.hpp"
#include "harness/observe/answer_shapes.hpp"
#include "harness/recording/recording.hpp"
#include "tests/contracts/built_in.hpp"
#include "tests/harness/observe/shared_streams.hpp"

namespace splitproof::contract::falsifiers_test {
namespace {

namespace fs = std::filesystem;

using Ids = std::set<std::string>;

std::string bytes_of(const std::string& file) { return observe::file_bytes(contract_folder() / file); }

Ids ids_of(const Obligation& obligation, const Falsifier& falsifier, const std::string& file,
           Verdict verdict) {
  return ids_with(verdict, judge_example(obligation, falsifier, file));
}

// Every clause has such a stream too, or an excuse.
TEST(BuiltInContracts, FalsifiersViolateTheNamedRulesAndControlsNone) {
  const auto unfalsified = falsify::load_unfalsified({contract_folder()}, built_in_contracts());
  ASSERT_TRUE(unfalsified) << describe(unfalsified.error());
  const auto made =
      falsify::examine(built_in_contracts(), contract_folder(), default_profile(), *unfalsified, "");
  ASSERT_TRUE(made) << describe(made.error());
  for (const falsify::Objection& objection : made->objections)
    ADD_FAILURE() << objection.file << ":" << objection.line << ": " << objection.what;
  EXPECT_GT(made->files.size(), 20u);
}

// Reports show the first value of an `equal` as the actual one and the second as the expected one.
TEST(BuiltInContracts, EqualComparesTheSentValueWithTheExpectedOne) {
  std::size_t compared = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(contract_folder())) {
    if (file.path().extension() != ".yaml") continue;
    const std::string text = bytes_of(file.path().filename().string());
    EXPECT_EQ(text.find("equal: [expected."), std::string::npos) << file.path();
    EXPECT_EQ(text.find("sent: {wanted}"), std::string::npos) << file.path();
    compared += text.find("equal: [got.") != std::string::npos ? 1 : 0;
  }
  EXPECT_GE(compared, 3U);
}

TEST(BuiltInContracts, EveryObligationIsExercisedByAControl) {
  const auto obligations = built_in_contracts().obligations();
  EXPECT_GE(obligations.size(), 92u);
  for (const Obligation* obligation : obligations) {
    SCOPED_TRACE(obligation->id);
    EXPECT_TRUE(std::any_of(
        obligation->falsifiers.begin(), obligation->falsifiers.end(), [&](const Falsifier& falsifier) {
          return ids_of(*obligation, falsifier, falsifier.control, Verdict::met).contains(obligation->id);
        }));
  }
}

TEST(BuiltInContracts, EveryExampleIsUsed) {
  Ids used;
  for (const Obligation* obligation : built_in_contracts().obligations()) {
    for (const Falsifier& falsifier : obligation->falsifiers)
      used.insert({falsifier.file, falsifier.control, falsifier.recording});
  }
  std::size_t examples = 0;
  for (const auto& entry : fs::recursive_directory_iterator(contract_folder() / "falsifiers")) {
    if (entry.is_directory()) continue;
    const std::string file = entry.path().lexically_relative(contract_folder()).generic_string();
    EXPECT_GT(entry.file_size(), 0u) << file;
    EXPECT_TRUE(used.contains(file)) << file << " belongs to no obligation";
    ++examples;
  }
  EXPECT_GE(examples, 255u);
}

// Returns features of recordings about framing, which no reading of their chunks shows.
Ids corpus_features() {
  Ids features;
  for (const auto& entry : fs::directory_iterator(contract_folder().parent_path() / "corpus/openai.chat")) {
    const auto recording = recording::load(entry.path().string());
    if (recording) features.insert(recording->features.begin(), recording->features.end());
  }
  return features;
}

// A condition that no answer meets would disable its clause.
TEST(BuiltInContracts, EveryShapeThatTheyAskForExists) {
  Ids known;
  for (const dialect::Dialect& dialect : dialect::all()) {
    if (dialect.upstream == nullptr) continue;
    for (const std::string_view shape : dialect.upstream->shapes()) known.emplace(shape);
  }
  for (const observe::AnswerShapeEntry& entry : observe::kAnswerShapes) {
    EXPECT_TRUE(known.insert(std::string(entry.name)).second) << entry.name << " means two things";
  }
  for (const std::string& feature : corpus_features()) known.insert(feature);
  const std::string text = bytes_of("anthropic.messages.meaning.yaml") +
                           bytes_of("anthropic.messages.downstream.yaml") +
                           bytes_of("openai.responses.meaning.yaml") + bytes_of("openai.chat.meaning.yaml") +
                           bytes_of("meaning.yaml") + bytes_of("renamed.yaml");
  static const std::regex kGiven(R"(given: (\w+))");
  std::size_t asked = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), kGiven), end; it != end; ++it, ++asked) {
    EXPECT_TRUE(known.contains((*it)[1])) << (*it)[1];
  }
  EXPECT_GE(asked, 40u);
}

// Returns the first column of the table in docs/data/not-judged.tsv.
Ids not_judged() {
  Ids ids;
  static const std::regex kRow("^([A-Z]+-[0-9]+)\\t");
  std::istringstream page(
      observe::file_bytes(contract_folder().parent_path() / "docs" / "data" / "not-judged.tsv"));
  for (std::string line; std::getline(page, line);) {
    std::smatch row;
    if (std::regex_search(line, row, kRow)) ids.insert(row[1]);
  }
  return ids;
}

TEST(BuiltInContracts, IdsInTheListOfUnjudgedRulesAreNotObligations) {
  EXPECT_GE(not_judged().size(), 10u);
  for (const std::string& id : not_judged()) EXPECT_EQ(built_in_contracts().find(id), nullptr) << id;
}

// Returns the ids in rows of a Markdown table, for sections whose headings begin with a text of `wanted`.
Ids ids_in_tables(const std::string& text, const std::set<std::string>& wanted) {
  Ids ids;
  static const std::regex kRow(R"(^\| ([A-Z]+-\d+) )");
  std::istringstream lines(text);
  bool reading = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) reading = wanted.count(line.substr(3, line.find(' ', 3) - 3)) > 0;
    std::smatch row;
    if (reading && std::regex_search(line, row, kRow)) ids.insert(row[1]);
  }
  return ids;
}

TEST(BuiltInContracts, EveryIdOfTheCatalogueIsJudgedOrListedAsUnjudged) {
  const fs::path recordings = observe::shared_recordings();
  const fs::path catalogue = recordings.parent_path() / "design" / "obligations.md";
  if (recordings.empty() || !fs::exists(catalogue)) GTEST_SKIP() << "../shared is absent";
  Ids rules;  // of contracts, and the campaign's own comparisons
  for (const Obligation* obligation : built_in_contracts().obligations()) rules.insert(obligation->id);
  for (const Obligation& obligation : campaign::meta_obligations()) rules.insert(obligation.id);
  Ids ids =
      ids_in_tables(observe::file_bytes(catalogue), {"1", "2", "3", "4", "5", "6", "7", "8", "9", "15"});
  EXPECT_EQ(ids.size(), 135u);
  for (const char* text :
       {"MRK-01", "MRK-02", "MRK-03", "MRK-04", "MRK-07", "MRK-08", "IDN-01", "IDN-07", "RSC-01", "RSC-04"})
    ids.insert(text);
  for (const std::string& asked : ids_in_tables(observe::file_bytes(catalogue), {"13"}))
    if (!asked.starts_with("REQ-")) ids.insert(asked);
  std::size_t judged = 0;
  const Ids excused = not_judged();
  for (const std::string& id : ids) {
    const bool is_judged = rules.count(id) > 0;
    EXPECT_NE(is_judged, excused.count(id) > 0) << id;
    judged += is_judged ? 1 : 0;
  }
  EXPECT_GE(judged, 110u);
}

// True if a table of docs/data that reproduces each report under one rule names a report for a rule.
bool is_reproduced(const std::string& report, const std::string& id) {
  for (const char* table : {"request-incidents.tsv", "answer-incidents.tsv", "reports.tsv"}) {
    std::istringstream page(observe::file_bytes(contract_folder().parent_path() / "docs" / "data" / table));
    for (std::string line; std::getline(page, line);)
      if (line.starts_with("[" + report + "](") && (line + "\t").find("\t" + id + "\t") != std::string::npos)
        return true;
  }
  return false;
}

// Rules that compare cases have no list of reports.
TEST(BuiltInContracts, ReportsOfMutantsAreNamedByTheirRules) {
  std::istringstream table(observe::file_bytes(contract_folder().parent_path() / "docs/data/reports.tsv"));
  std::size_t named = 0;
  for (std::string line; std::getline(table, line);) {
    if (!line.starts_with("[")) continue;
    const std::string report = line.substr(1, line.find("](") - 1);
    const Obligation* rule = built_in_contracts().find(line.substr(line.rfind('\t') + 1));
    if (rule == nullptr) continue;
    EXPECT_EQ(std::count(rule->seen.begin(), rule->seen.end(), report), 1) << rule->id << " lacks " << report;
    ++named;
  }
  EXPECT_GE(named, 25u);
}

// No catalogue has TRN- ids. The reports about clients are in another list.
TEST(BuiltInContracts, IncidentsAreThoseOfTheCatalogue) {
  const fs::path recordings = observe::shared_recordings();
  const fs::path catalogue = recordings.parent_path() / "design" / "incidents.jsonl";
  if (recordings.empty() || !fs::exists(catalogue)) GTEST_SKIP() << "../shared is absent";
  std::map<std::string, Ids> incidents;
  Ids all;
  std::istringstream lines(observe::file_bytes(catalogue));
  for (std::string line; std::getline(lines, line);) {
    const auto incident = nlohmann::json::parse(line);
    const std::string name =
        incident["repo"].get<std::string>() + "#" + std::to_string(incident["number"].get<int>());
    all.insert(name);
    for (const std::string id : incident["obligations"]) incidents[id].insert(name);
  }
  ASSERT_FALSE(incidents.empty());
  const std::string of_clients =
      observe::file_bytes(recordings.parent_path() / "reviews" / "anchors.md") + "\n";
  for (const Obligation* obligation : built_in_contracts().obligations()) {
    const Ids seen(obligation->seen.begin(), obligation->seen.end());
    EXPECT_EQ(seen.size(), obligation->seen.size()) << obligation->id << " names one twice";
    for (const std::string& name : incidents[obligation->id])
      EXPECT_TRUE(seen.contains(name)) << obligation->id << " lacks " << name;
    for (const std::string& name : seen) {
      const bool ids_differ = obligation->id.starts_with("TRN-") && all.contains(name);
      const bool is_of_client = obligation->id.starts_with("LIB-") && of_clients.find(name) != name.npos;
      EXPECT_TRUE(incidents[obligation->id].contains(name) || ids_differ || is_of_client ||
                  is_reproduced(name, obligation->id))
          << obligation->id << " " << name;
    }
  }
}

}  // namespace
}  // namespace splitproof::contract::falsifiers_test
