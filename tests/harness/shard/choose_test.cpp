#include "harness/shard/choose.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/shard/missing.hpp"

namespace splitproof::shard::choose_test {
namespace {

using Environment = std::map<std::string, std::string>;

// "3/16 by --shard", "none", or the error.
std::string chosen(const std::string& option, const Environment& environment) {
  const auto shard = choose(option, [&](const char* name) -> std::optional<std::string> {
    const auto known = environment.find(name);
    return known == environment.end() ? std::nullopt : std::optional(known->second);
  });
  if (!shard) return shard.error().what;
  if (!*shard) return "none";
  const std::string file = (*shard)->status_file.empty() ? "" : ", touches " + (*shard)->status_file;
  return std::to_string((*shard)->number) + "/" + std::to_string((*shard)->count) + " by " +
         (*shard)->source + file;
}

struct Row {
  const char* option;
  Environment environment;
  const char* chosen;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = {
      {"", {}, "none"},
      {"3/16", {}, "3/16 by --shard"},
      {"1/1", {}, "1/1 by --shard"},
      {"", {{"SPLITPROOF_SHARD", "2/4"}}, "2/4 by SPLITPROOF_SHARD"},
      {"", {{"SPLITPROOF_SHARD", ""}}, "none"},
      {"", {{"TEST_SHARD_INDEX", "0"}, {"TEST_TOTAL_SHARDS", "4"}}, "1/4 by TEST_SHARD_INDEX"},
      {"",
       {{"TEST_SHARD_INDEX", "3"}, {"TEST_TOTAL_SHARDS", "4"}, {"TEST_SHARD_STATUS_FILE", "status"}},
       "4/4 by TEST_SHARD_INDEX, touches status"},
      {"", {{"GTEST_SHARD_INDEX", "1"}, {"GTEST_TOTAL_SHARDS", "2"}}, "2/2 by GTEST_SHARD_INDEX"},
      {"", {{"CI_NODE_INDEX", "1"}, {"CI_NODE_TOTAL", "5"}}, "1/5 by CI_NODE_INDEX"},
      // GitLab sets this in jobs without `parallel`.
      {"", {{"CI_NODE_TOTAL", "1"}}, "none"},
      {"", {{"JOB_COMPLETION_INDEX", "0"}, {"SPLITPROOF_SHARDS", "8"}}, "1/8 by JOB_COMPLETION_INDEX"},
      {"",
       {{"SLURM_ARRAY_TASK_ID", "3"}, {"SLURM_ARRAY_TASK_MIN", "1"}, {"SLURM_ARRAY_TASK_COUNT", "4"}},
       "3/4 by SLURM_ARRAY_TASK_ID"},
      {"",
       {{"SLURM_ARRAY_TASK_ID", "3"}, {"SLURM_ARRAY_TASK_MIN", "0"}, {"SLURM_ARRAY_TASK_COUNT", "4"}},
       "4/4 by SLURM_ARRAY_TASK_ID"},
      // `--array=2` and `--array=1,7-9` start missing tasks of 16 again. Slurm counts the tasks of the new job.
      {"",
       {{"SLURM_ARRAY_TASK_ID", "2"},
        {"SLURM_ARRAY_TASK_MIN", "2"},
        {"SLURM_ARRAY_TASK_MAX", "2"},
        {"SLURM_ARRAY_TASK_COUNT", "1"},
        {"SPLITPROOF_SHARDS", "16"}},
       "2/16 by SLURM_ARRAY_TASK_ID"},
      {"",
       {{"SLURM_ARRAY_TASK_ID", "8"},
        {"SLURM_ARRAY_TASK_MIN", "1"},
        {"SLURM_ARRAY_TASK_MAX", "9"},
        {"SLURM_ARRAY_TASK_COUNT", "4"},
        {"SPLITPROOF_SHARDS", "16"}},
       "8/16 by SLURM_ARRAY_TASK_ID"},

      // The order.
      {"1/2",
       {{"SPLITPROOF_SHARD", "2/4"}, {"TEST_SHARD_INDEX", "0"}, {"TEST_TOTAL_SHARDS", "4"}},
       "1/2 by --shard"},
      {"",
       {{"SPLITPROOF_SHARD", "2/4"}, {"TEST_SHARD_INDEX", "0"}, {"TEST_TOTAL_SHARDS", "4"}},
       "2/4 by SPLITPROOF_SHARD"},
      {"",
       {{"TEST_SHARD_INDEX", "1"},
        {"TEST_TOTAL_SHARDS", "3"},
        {"GTEST_SHARD_INDEX", "0"},
        {"GTEST_TOTAL_SHARDS", "2"}},
       "2/3 by TEST_SHARD_INDEX"},
      {"",
       {{"GTEST_SHARD_INDEX", "0"},
        {"GTEST_TOTAL_SHARDS", "2"},
        {"CI_NODE_INDEX", "3"},
        {"CI_NODE_TOTAL", "5"}},
       "1/2 by GTEST_SHARD_INDEX"},
      {"",
       {{"CI_NODE_INDEX", "3"},
        {"CI_NODE_TOTAL", "5"},
        {"JOB_COMPLETION_INDEX", "0"},
        {"SPLITPROOF_SHARDS", "8"}},
       "3/5 by CI_NODE_INDEX"},
      {"",
       {{"JOB_COMPLETION_INDEX", "6"},
        {"SPLITPROOF_SHARDS", "8"},
        {"SLURM_ARRAY_TASK_ID", "7"},
        {"SLURM_ARRAY_TASK_MIN", "5"},
        {"SLURM_ARRAY_TASK_COUNT", "4"}},
       "7/8 by JOB_COMPLETION_INDEX"},

      // One half of a pair.
      {"", {{"TEST_SHARD_INDEX", "0"}}, "TEST_SHARD_INDEX is set, and TEST_TOTAL_SHARDS is not"},
      {"", {{"TEST_TOTAL_SHARDS", "4"}}, "TEST_TOTAL_SHARDS is set, and TEST_SHARD_INDEX is not"},
      {"", {{"GTEST_TOTAL_SHARDS", "4"}}, "GTEST_TOTAL_SHARDS is set, and GTEST_SHARD_INDEX is not"},
      {"", {{"CI_NODE_INDEX", "1"}}, "CI_NODE_INDEX is set, and CI_NODE_TOTAL is not"},
      {"", {{"CI_NODE_TOTAL", "2"}}, "CI_NODE_TOTAL is set, and CI_NODE_INDEX is not"},
      {"", {{"JOB_COMPLETION_INDEX", "1"}}, "JOB_COMPLETION_INDEX is set, and SPLITPROOF_SHARDS is not"},
      {"", {{"SPLITPROOF_SHARDS", "4"}}, "SPLITPROOF_SHARDS is set, and JOB_COMPLETION_INDEX is not"},
      {"", {{"SLURM_ARRAY_TASK_ID", "1"}}, "SLURM_ARRAY_TASK_ID is set, and SLURM_ARRAY_TASK_MIN is not"},
      {"",
       {{"SLURM_ARRAY_TASK_COUNT", "1"}},
       "SLURM_ARRAY_TASK_COUNT is set, and SLURM_ARRAY_TASK_ID is not"},

      // Values that are not a shard.
      {"0/4", {}, "--shard is 0/4, which is not a shard"},
      {"5/4", {}, "--shard is 5/4, which is not a shard"},
      {"1/0", {}, "--shard is 1/0, which is not a shard"},
      {"1/9999999", {}, "--shard is 1/9999999, which is not a shard"},
      {"3", {}, "--shard is '3', which is not a shard"},
      {"-1/4", {}, "--shard is '-1/4', which is not a shard"},
      {"1/4x", {}, "--shard is '1/4x', which is not a shard"},
      {"1/99999999999999999999", {}, "--shard is '1/99999999999999999999', which is not a shard"},
      {"",
       {{"TEST_SHARD_INDEX", "4"}, {"TEST_TOTAL_SHARDS", "4"}},
       "TEST_SHARD_INDEX is 4 with TEST_TOTAL_SHARDS 4, which is not a shard"},
      {"",
       {{"CI_NODE_INDEX", "0"}, {"CI_NODE_TOTAL", "4"}},
       "CI_NODE_INDEX is 0 with CI_NODE_TOTAL 4, which is not a shard"},
      {"",
       {{"SLURM_ARRAY_TASK_ID", "7"},
        {"SLURM_ARRAY_TASK_MIN", "1"},
        {"SLURM_ARRAY_TASK_MAX", "9"},
        {"SLURM_ARRAY_TASK_COUNT", "4"}},
       "SLURM_ARRAY_TASK_ID is 7 in an array of 4 from 1 to 9, so the array has gaps"},
      {"",
       {{"SLURM_ARRAY_TASK_ID", "2"},
        {"SLURM_ARRAY_TASK_MIN", "2"},
        {"SLURM_ARRAY_TASK_MAX", "2"},
        {"SLURM_ARRAY_TASK_COUNT", "1"}},
       "SLURM_ARRAY_TASK_ID is 2 in an array of 1 from 2, so the number of all shards is unknown"},
      {"",
       {{"SLURM_ARRAY_TASK_ID", "0"}, {"SLURM_ARRAY_TASK_MIN", "0"}, {"SPLITPROOF_SHARDS", "16"}},
       "SLURM_ARRAY_TASK_ID is 0 with SPLITPROOF_SHARDS 16, which is not a shard"},
      {"",
       {{"SLURM_ARRAY_TASK_ID", "17"}, {"SLURM_ARRAY_TASK_MIN", "2"}, {"SPLITPROOF_SHARDS", "16"}},
       "SLURM_ARRAY_TASK_ID is 17 with SPLITPROOF_SHARDS 16, which is not a shard"},
  };
  return kRows;
}

TEST(ChooseShard, OptionComesBeforeEnvironment) {
  for (const Row& row : rows()) EXPECT_EQ(chosen(row.option, row.environment), row.chosen);
}

TEST(ChooseShard, EachErrorSaysHowToFixIt) {
  const auto wrong = choose("", [](const char* name) -> std::optional<std::string> {
    return std::string(name) == "CI_NODE_INDEX" ? std::optional<std::string>("1") : std::nullopt;
  });
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().hint, "set both, pass --shard I/N, or pass --no-shard to run everything");
}

TEST(ChooseShard, PartOfAnArraySaysHowToSetAllShards) {
  const Environment environment{
      {"SLURM_ARRAY_TASK_ID", "2"}, {"SLURM_ARRAY_TASK_MIN", "2"}, {"SLURM_ARRAY_TASK_COUNT", "1"}};
  const auto wrong = choose("", [&](const char* name) -> std::optional<std::string> {
    const auto known = environment.find(name);
    return known == environment.end() ? std::nullopt : std::optional(known->second);
  });
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().hint,
            "number the tasks from 1, and set the number of all shards: export SPLITPROOF_SHARDS=N");
}

TEST(MissingShards, EachSchedulerHasItsForm) {
  const std::vector<std::size_t> shards{2, 7, 8, 9};
  EXPECT_EQ(restart_text(shards, 16, "slurm"), "--array=2,7-9\n");
  EXPECT_EQ(restart_text(shards, 16, "github"), "[2,7,8,9]\n");
  EXPECT_EQ(restart_text(shards, 16, "parallel"), "2 7 8 9\n");
  EXPECT_EQ(restart_text(shards, 16, "k8s"), "completions: 4\nSHARDS_AGAIN: \"2 7 8 9\"\n");
  EXPECT_EQ(restart_text(shards, 16, "list"), "2/16\n7/16\n8/16\n9/16\n");
}

}  // namespace
}  // namespace splitproof::shard::choose_test
