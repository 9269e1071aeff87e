// The example testees of docs/without-http.md: the recordings on which they conform, and the findings on others.

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <ostream>
#include <string>

#include "harness/testee/pipe_testee.hpp"
#include "tests/corpus/reference_campaign.hpp"
#include "tests/docs/example_page.hpp"

namespace splitproof::campaign::pipe_examples_test {
namespace {

struct Example {
  const char* file;
  const char* interpreter;
};

void PrintTo(const Example& example, std::ostream* out) { *out << example.file; }

class PipeExamples : public testing::TestWithParam<Example> {
 protected:
  void SetUp() override {
    const std::string ask = std::string(GetParam().interpreter) + " --version > /dev/null 2>&1";
    if (std::system(ask.c_str()) != 0) GTEST_SKIP() << GetParam().interpreter << " is not installed";
    auto supervisor = testee::Supervisor::start();
    ASSERT_TRUE(supervisor) << describe(supervisor.error());
    supervisor_ = std::move(*supervisor);
    const auto file =
        testee::load_target_file((source_root() / "docs" / "examples" / GetParam().file).string());
    ASSERT_TRUE(file) << describe(file.error());
    testee_ = std::make_unique<testee::PipeTestee>(*file, *supervisor_, stop_);
    const auto started = testee_->start();
    ASSERT_TRUE(started) << describe(started.error());
  }

  Ids findings(const std::string& name) const {
    const Ids found =
        page_.findings(*testee_, name, {}, static_cast<unsigned>(testee_->traits().max_concurrency));
    EXPECT_EQ(testee_->remark(), "");
    return found;
  }

  const ExamplePage page_{"without-http.md", "## A program over a pipe"};

 private:
  const testee::StopToken stop_;
  std::unique_ptr<testee::Supervisor> supervisor_;
  std::unique_ptr<testee::PipeTestee> testee_;
};

TEST_P(PipeExamples, ConformAsThePageStates) {
  page_.expect_to_conform("conform on these recordings",
                          [&](const std::string& name) { return findings(name); });
}

TEST_P(PipeExamples, ViolateAsThePageStates) {
  const auto two_columns = [](const std::string& row) { return row.find('|', row.find('|', 1) + 1); };
  page_.expect_to_be_found_out(two_columns, [&](const std::string& name) { return findings(name); });
}

INSTANTIATE_TEST_SUITE_P(Documents, PipeExamples,
                         testing::Values(Example{"python.yaml", "python3"}, Example{"node.yaml", "node"}),
                         [](const auto& example) { return std::string(example.param.interpreter); });

}  // namespace
}  // namespace splitproof::campaign::pipe_examples_test
