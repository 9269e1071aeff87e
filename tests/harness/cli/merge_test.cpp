// The merged reports of parts equal the report of the whole run.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::merge_test {
namespace {

const std::vector<std::string> kTargets = {"--target", "mutant:gate-in-function-block", "--target",
                                           "mutant:per-chunk-utf8"};

// Runs the recordings that `only` selects and writes the report to `report`.
Finished run(const Folder& folder, const std::string& only, const std::string& report,
             const std::vector<std::string>& targets = kTargets) {
  std::vector<std::string> arguments = {
      "run",    "--splits", "2",     "--recuts", "0",
      "--only", only,       "--all", "--report", "jsonl:" + folder.at(report)};
  arguments.insert(arguments.end(), targets.begin(), targets.end());
  return splitproof(arguments);
}

Finished merge(const Folder& folder, const std::vector<std::string>& reports,
               const std::vector<std::string>& more = {"--all"}) {
  std::vector<std::string> arguments = {"merge"};
  for (const std::string& report : reports) arguments.push_back(folder.at(report));
  arguments.insert(arguments.end(), more.begin(), more.end());
  return splitproof(arguments);
}

// The lines of rules: they are equal in parts and in the whole run.
std::string verdicts(const std::string& report) {
  std::string text;
  for (std::size_t at = 0, end; (end = report.find('\n', at)) != report.npos; at = end + 1) {
    const auto line = nlohmann::json::parse(report.substr(at, end - at));
    if (line.contains("verdict") && line.contains("obligation"))
      text += line["target"].dump() + line["recording"].dump() + line["obligation"].dump() +
              line["verdict"].dump() + line["cases"].dump() + line["violating"].dump() + "\n";
  }
  return text;
}

TEST(Merge, MergedPartsEqualTheWholeRun) {
  const Folder folder;
  const Finished whole = run(folder, "openai.chat/t*-m*", "whole");
  ASSERT_EQ(whole.code, 1) << whole.err;
  EXPECT_EQ(run(folder, "openai.chat/te*-m*", "text").code, 1);
  run(folder, "openai.chat/to*-mi*", "missing");
  run(folder, "openai.chat/to*-mu*", "multibyte");
  const Finished merged =
      merge(folder, {"missing", "multibyte", "text"}, {"--all", "--report", "jsonl:" + folder.at("merged")});
  EXPECT_EQ(merged.code, 1) << merged.err;
  EXPECT_EQ(without_times(merged.out), without_times(whole.out));
  EXPECT_EQ(verdicts(folder.text("merged")), verdicts(folder.text("whole")));
  EXPECT_GT(verdicts(folder.text("merged")).size(), 10000U);
  // In another order, and with repeated parts.
  EXPECT_EQ(merge(folder, {"text", "multibyte", "text", "missing", "merged"}).out, merged.out);
}

TEST(Merge, JoinsTargets) {
  const Folder folder;
  const Finished whole = run(folder, "openai.chat/text-m*", "whole", kTargets);
  run(folder, "openai.chat/text-m*", "one", {kTargets[0], kTargets[1]});
  run(folder, "openai.chat/text-m*", "two", {kTargets[2], kTargets[3]});
  EXPECT_EQ(without_times(merge(folder, {"two", "one"}).out), without_times(whole.out));
}

TEST(Merge, AppliesExpectations) {
  const Folder folder;
  run(folder, "openai.chat/text-m*", "one");
  folder.put("known.txt", "VIOLATES * * * # all of it\n");
  EXPECT_EQ(merge(folder, {"one"}, {"--expect", folder.at("known.txt")}).code, 0);
  folder.put("stale.txt", "VIOLATES * * * # all of it\nVIOLATES mutant:per-chunk-utf8 * SSE-07 # no more\n");
  const Finished stale = merge(folder, {"one"}, {"--expect", folder.at("stale.txt")});
  EXPECT_EQ(stale.code, 1);
  EXPECT_NE(stale.out.find("SSE-07"), std::string::npos) << stale.out;
}

TEST(Merge, OtherFilesAreRefused) {
  const Folder folder;
  ASSERT_EQ(run(folder, "openai.chat/text-m*", "one").code, 1);
  const auto says = [&](const std::vector<std::string>& reports, const std::vector<std::string>& more = {}) {
    const Finished merged = merge(folder, reports, more);
    EXPECT_EQ(merged.code, 2);
    return merged.err;
  };
  const std::string text = folder.text("one");
  folder.put("cut", text.substr(0, text.rfind("{\"verdict\"")));
  EXPECT_NE(says({"one", "cut"}).find("cut: the report has no last line"), std::string::npos);
  const Finished partial = merge(folder, {"one", "cut"}, {"--partial"});
  EXPECT_EQ(partial.out.find("CONFORMS"), std::string::npos) << partial.out;
  EXPECT_EQ(partial.code, 2);
  EXPECT_NE(partial.err.find("and has no verdict"), std::string::npos) << partial.err;
  EXPECT_NE(says({"one", "missing"}).find("missing: cannot be read"), std::string::npos)
      << says({"one", "missing"});
  folder.put("other", std::regex_replace(text, std::regex("\"seed\":1"), "\"seed\":2"));
  EXPECT_NE(says({"one", "other"}).find("other: the reports are of different runs: the seed is 2 and 1"),
            std::string::npos)
      << says({"one", "other"});
  folder.put("faults", std::regex_replace(text, std::regex(" --splits 2"), " --splits 2 --faults"));
  EXPECT_NE(says({"one", "faults"}).find("this run had the options ' --splits 2 --faults --recuts 0'"),
            std::string::npos)
      << says({"one", "faults"});
  EXPECT_NE(says({"one"}, {"--report", "jsonl:" + folder.at("one")}).find("is one of the reports to merge"),
            std::string::npos);
}

}  // namespace
}  // namespace splitproof::cli::merge_test
