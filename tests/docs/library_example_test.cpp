// The example of docs/library.md, compiled as C and run over recordings: where it conforms, and what is found where it
// stops.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "harness/recording/recording.hpp"
#include "harness/testee/library_testee.hpp"
#include "harness/testee/target_file.hpp"
#include "tests/corpus/reference_campaign.hpp"

namespace splitproof::campaign {
namespace {

using Ids = std::set<std::string>;

testee::LibraryTestee example(const contract::Profile& profile) {
  const char* path = std::getenv("SPLITPROOF_EXAMPLE_LIBRARY");
  const auto library = testee::Library::open(path != nullptr ? path : "translate.so");
  EXPECT_TRUE(library) << describe(library.error());
  const auto file =
      testee::load_target_file((source_root() / "docs" / "examples" / "c.yaml").string()).value();
  EXPECT_EQ(file.library, "translate.so");
  testee::LibraryTarget target;
  target.name = file.name;
  target.client = file.client;
  target.upstream = file.upstream;
  target.knobs = profile.knobs;
  target.at_once = file.at_once;
  return testee::LibraryTestee(library.value(), target);
}

class LibraryExample : public testing::Test {
 protected:
  // The obligations that must be met and are not, on one recording under a short plan.
  Ids findings(const std::string& name) const {
    const auto loaded =
        recording::load((source_root() / "corpus" / "openai.chat" / (name + ".rec.jsonl")).string());
    EXPECT_TRUE(loaded) << describe(loaded.error());
    recording::Recording recording = loaded.value();
    recording.id = "openai.chat/" + name;
    const testee::LibraryTestee testee = example(profile_);
    Settings settings;
    settings.testees = {&testee};
    settings.recordings = {&recording};
    settings.contracts = &contracts_;
    settings.profile = profile_;
    settings.trials.recuts = 8;
    settings.jobs = 2;
    Ids found;
    const auto results = run(
        settings, [](const Progress&) {}, [] { return false; });
    EXPECT_EQ(results.recordings.size(), 1U);
    for (const RecordingResult& result : results.recordings) {
      EXPECT_GT(result.cases, 10U);
      EXPECT_GT(judged(result), 10U);
      for (const Row& row : result.rows) {
        if (row.verdict == contract::Verdict::violated && row.level == contract::Level::must)
          found.insert(row.obligation->id);
      }
    }
    return found;
  }

 private:
  const contract::Contracts contracts_ = contract::Contracts::load({source_root() / "contracts"}).value();
  const contract::Profile profile_ = contract::load_profile("default", {source_root() / "contracts"}).value();
};

// The words in backticks of a part of a line.
std::vector<std::string> quoted_words(const std::string& text) {
  static const std::regex kWord("`([^`]+)`");
  std::vector<std::string> words;
  for (std::sregex_iterator word(text.begin(), text.end(), kWord), end; word != end; ++word)
    words.push_back((*word)[1]);
  return words;
}

std::string page() {
  std::ifstream file(source_root() / "docs" / "library.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(LibraryExample, ConformsWhereThePageSaysSo) {
  const std::string text = page();
  const std::size_t begin = text.find("conforms on these recordings");
  ASSERT_NE(begin, std::string::npos);
  const auto names = quoted_words(text.substr(begin, text.find('.', begin) - begin));
  EXPECT_GE(names.size(), 5U);
  for (const std::string& name : names) EXPECT_EQ(findings(name), Ids()) << name;
}

TEST_F(LibraryExample, IsFoundOutWhereThePageSaysSo) {
  const std::string text = page();
  const std::size_t begin = text.find("| recording | found |");
  ASSERT_NE(begin, std::string::npos);
  std::istringstream lines(text.substr(begin));
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line) && line.starts_with("|");) {
    const std::vector<std::string> words = quoted_words(line.substr(0, line.find(':')));
    if (words.empty()) continue;  // the table's head
    ++rows;
    EXPECT_GT(words.size(), 1U);
    const Ids found = findings(words[0]);
    for (std::size_t i = 1; i < words.size(); ++i)
      EXPECT_EQ(found.count(words[i]), 1U) << words[0] << " is not found to violate " << words[i];
  }
  EXPECT_GE(rows, 5U);
}

}  // namespace
}  // namespace splitproof::campaign
