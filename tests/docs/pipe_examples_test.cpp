// The example testees of docs/pipe.md, run over recordings: where they conform, and what is found where they stop.

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
#include "harness/testee/pipe_testee.hpp"
#include "tests/corpus/reference_campaign.hpp"

namespace splitproof::campaign {
namespace {

using Ids = std::set<std::string>;

struct Example {
  const char* file;
  const char* interpreter;
};

void PrintTo(const Example& example, std::ostream* out) { *out << example.file; }

class PipeExamples : public testing::TestWithParam<Example> {
 protected:
  void SetUp() override {
    const std::string ask = std::string(GetParam().interpreter) + " --version > /dev/null 2>&1";
    if (std::system(ask.c_str()) != 0) GTEST_SKIP() << "there is no " << GetParam().interpreter;
    auto supervisor = testee::Supervisor::start();
    ASSERT_TRUE(supervisor) << describe(supervisor.error());
    supervisor_ = std::move(*supervisor);
    const auto file =
        testee::load_target_file((source_root() / "docs" / "examples" / GetParam().file).string());
    ASSERT_TRUE(file) << describe(file.error());
    testee_ = std::make_unique<testee::PipeTestee>(*file, *supervisor_);
    const auto started = testee_->start();
    ASSERT_TRUE(started) << describe(started.error());
  }

  /// The obligations that must be met and are not, on one recording under every split of a short plan.
  Ids findings(const std::string& name) const {
    const auto loaded =
        recording::load((source_root() / "corpus" / "openai.chat" / (name + ".rec.jsonl")).string());
    if (!loaded) {
      ADD_FAILURE() << describe(loaded.error());
      return {};
    }
    recording::Recording recording = *loaded;
    recording.id = "openai.chat/" + name;
    Settings settings;
    settings.testees = {testee_.get()};
    settings.recordings = {&recording};
    settings.contracts = &contracts_;
    settings.profile = profile_;
    settings.jobs = static_cast<unsigned>(testee_->at_once());
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
    EXPECT_EQ(testee_->remark(), "");
    return found;
  }

 private:
  const contract::Contracts contracts_ = contract::Contracts::load({source_root() / "contracts"}).value();
  const contract::Profile profile_ = contract::load_profile("default", {source_root() / "contracts"}).value();
  std::unique_ptr<testee::Supervisor> supervisor_;
  std::unique_ptr<testee::PipeTestee> testee_;
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
  std::ifstream file(source_root() / "docs" / "pipe.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_P(PipeExamples, ConformWhereThePageSaysSo) {
  const std::string text = page();
  const std::size_t begin = text.find("conform on these recordings");
  ASSERT_NE(begin, std::string::npos);
  const auto names = quoted_words(text.substr(begin, text.find('.', begin) - begin));
  EXPECT_GE(names.size(), 5U);
  for (const std::string& name : names) EXPECT_EQ(findings(name), Ids()) << name;
}

TEST_P(PipeExamples, AreFoundOutWhereThePageSaysSo) {
  const std::string text = page();
  const std::size_t begin = text.find("| recording | found |");
  ASSERT_NE(begin, std::string::npos);
  std::istringstream lines(text.substr(begin));
  std::size_t rows = 0;
  for (std::string line; std::getline(lines, line) && line.starts_with("|");) {
    std::vector<std::string> words = quoted_words(line.substr(0, line.find('|', line.find('|', 1) + 1)));
    if (words.empty()) continue;  // the table's head
    ++rows;
    const Ids found = findings(words[0]);
    for (std::size_t i = 1; i < words.size(); ++i)
      EXPECT_EQ(found.count(words[i]), 1U) << words[0] << " is not found to violate " << words[i];
    EXPECT_GT(words.size(), 1U);
  }
  EXPECT_GE(rows, 5U);
}

INSTANTIATE_TEST_SUITE_P(Documents, PipeExamples,
                         testing::Values(Example{"python.yaml", "python3"}, Example{"node.yaml", "node"}),
                         [](const auto& example) { return std::string(example.param.interpreter); });

}  // namespace
}  // namespace splitproof::campaign
