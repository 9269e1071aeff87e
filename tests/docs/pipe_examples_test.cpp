// The example testees of docs/pipe.md, run over recordings: where they conform, and what is found where they stop.

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
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
    const auto file = testee::load_target_file((source_root() / "docs" / "examples" / GetParam().file).string());
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
    EXPECT_EQ(results.size(), 1U);
    for (const RecordingResult& result : results) {
      EXPECT_GT(result.cases, 10U);
      EXPECT_GT(judged(result), 20U);
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
  const contract::Profile profile_ =
      contract::load_profile("default", {source_root() / "contracts"}).value();
  std::unique_ptr<testee::Supervisor> supervisor_;
  std::unique_ptr<testee::PipeTestee> testee_;
};

TEST_P(PipeExamples, ConformOnPlainTextAndSimpleCalls) {
  for (const char* name : {"text-plain", "text-multibyte", "tool-plain", "tool-after-text", "tool-parallel"})
    EXPECT_EQ(findings(name), Ids()) << name;
}

TEST_P(PipeExamples, AreFoundOutWhereTheyStop) {
  for (const char* name : {"framing-crlf", "framing-no-space", "tool-parallel-interleaved", "thinking-then-text", "tool-id-late"}) {
    for (const std::string& id : findings(name)) std::cerr << name << " " << id << "\n";
  }
}

INSTANTIATE_TEST_SUITE_P(Documents, PipeExamples,
                         testing::Values(Example{"python.yaml", "python3"}, Example{"node.yaml", "node"}),
                         [](const auto& example) { return std::string(example.param.interpreter); });

}  // namespace
}  // namespace splitproof::campaign
