// The merged reports of parts equal the report of the whole run.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
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
  folder.put("huge", std::regex_replace(text, std::regex("\"shards\":1,"), "\"shards\":1000000000000000,"));
  EXPECT_NE(says({"huge"}).find("the plan has more shards than a run can have"), std::string::npos)
      << says({"huge"});
  EXPECT_NE(says({"one"}, {"--report", "jsonl:" + folder.at("one")}).find("is one of the reports to merge"),
            std::string::npos);
}

// The digest of a file in a manifest.
std::string evidence_digest(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}

// Runs a shard with evidence; without a number the whole campaign.
Finished run_shard(const Folder& folder, const std::string& name, const std::string& shard,
                   const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"run",       "--only",     "openai.chat/text-[mp]*",
                                        "--splits",  "2",          "--target",
                                        kTargets[3], "--evidence", folder.at(name)};
  if (!shard.empty()) arguments.insert(arguments.end(), {"--shard", shard});
  arguments.insert(arguments.end(), more.begin(), more.end());
  return splitproof(arguments);
}

// The files below a folder and their texts.
std::map<std::string, std::string> texts_below(const Folder& folder, const std::string& name) {
  std::map<std::string, std::string> texts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.at(name)))
    if (entry.is_regular_file())
      texts[entry.path().lexically_relative(folder.at(name)).string()] =
          folder.text(entry.path().lexically_relative(folder.at("")).string());
  return texts;
}

std::string judged(const Folder& folder, const std::string& name) {
  const Finished finished = splitproof({"judge", folder.at(name), "--all"});
  EXPECT_EQ(finished.code, 1) << finished.err;
  return std::regex_replace(without_times(finished.out), std::regex("seen/[a-z0-9-]+"), "seen");
}

TEST(Merge, JoinsTheEvidenceOfShards) {
  const Folder folder;
  ASSERT_EQ(run_shard(folder, "seen/whole", "").code, 1);
  for (const std::string number : {"1", "2", "3"}) run_shard(folder, "seen/" + number, number + "/3");
  const Finished merged =
      merge(folder, {"seen/3", "seen/1", "seen/2", "seen/1"}, {"--evidence", folder.at("seen/all")});
  ASSERT_EQ(merged.code, 0) << merged.err;
  EXPECT_NE(merged.out.find("splitproof: wrote the evidence of "), std::string::npos) << merged.out;
  EXPECT_EQ(judged(folder, "seen/all"), judged(folder, "seen/whole"));
  EXPECT_GT(judged(folder, "seen/all").size(), 1000U);
  // In another order, and with joined evidence that comes again.
  EXPECT_EQ(merge(folder, {"seen/1", "seen/2"}, {"--partial", "--evidence", folder.at("seen/two")}).code, 0);
  EXPECT_EQ(merge(folder, {"seen/two", "seen/3"}, {"--evidence", folder.at("seen/again")}).code, 0);
  EXPECT_EQ(texts_below(folder, "seen/again"), texts_below(folder, "seen/all"));
  EXPECT_GT(texts_below(folder, "seen/all").size(), 2U);

  const Finished missing = merge(folder, {"seen/1", "seen/3"}, {"--evidence", folder.at("seen/none")});
  EXPECT_EQ(missing.code, 4);
  EXPECT_NE(missing.err.find("1 of 3 shards is missing: 2;"), std::string::npos) << missing.err;
  EXPECT_FALSE(std::filesystem::exists(folder.at("seen/none")));
  EXPECT_EQ(
      merge(folder, {"seen/1"}, {"--missing", "--as", "slurm", "--evidence", folder.at("seen/none")}).out,
      "--array=2-3\n");
}

TEST(Merge, OtherEvidenceIsRefused) {
  const Folder folder;
  run_shard(folder, "seen/1", "1/2");
  run_shard(folder, "seen/2", "2/2");
  const auto says = [&](const std::vector<std::string>& folders, const std::string& out = "all") {
    const Finished merged = merge(folder, folders, {"--evidence", folder.at(out)});
    EXPECT_EQ(merged.code, 2) << merged.out;
    EXPECT_EQ(merged.out, "");
    return merged.err;
  };
  const auto expect = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  const Finished no_report = merge(
      folder, {"seen"}, {"--evidence", folder.at("all"), "--report", "html:" + folder.at("whole.html")});
  EXPECT_EQ(no_report.code, 2);
  expect(no_report.err, "there are no reports to merge, only evidence");
  run_shard(folder, "whole", "", {"--report", "jsonl:" + folder.at("whole.jsonl")});
  EXPECT_EQ(merge(folder, {"whole.jsonl", "whole"}, {"--evidence", folder.at("same")}).code, 1);
  run_shard(folder, "others", "", {"--target", kTargets[1]});
  expect(says({"whole.jsonl", "others"}),
         "is in no report; merge the reports and the evidence of the same runs");
  std::filesystem::copy(folder.at("seen/2"), folder.at("killed"), std::filesystem::copy_options::recursive);
  std::filesystem::remove(folder.at("killed/manifest.evidence.json"));
  expect(says({"seen/1", "killed"}), "has no manifest.evidence.json, so the evidence may be incomplete");
  run_shard(folder, "other", "2/2", {"--seed", "7"});
  expect(says({"seen/1", "other"}), "seed is '7' and '1'");
  run_shard(folder, "strict", "2/2", {"--strict"});
  expect(says({"seen/1", "strict"}), "plan (corpus, target files, --strict or --fail-fast) is '");
  expect(says({"seen/1", "seen/2"}, "seen/1"), "which is one of the folders to merge");
  expect(says({"seen"}, "seen/1/all"), "which is one of the folders to merge");
  std::filesystem::create_directories(folder.at("empty"));
  expect(says({"empty"}), "has no evidence of a finished run");
  ASSERT_EQ(merge(folder, {"seen"}, {"--evidence", folder.at("all")}).code, 0);
  expect(says({"seen"}), "already has evidence");

  // The same cases with another answer, in a folder that its manifest describes.
  const std::map<std::string, std::string> texts = texts_below(folder, "seen/1");
  const auto file = std::find_if(texts.begin(), texts.end(), [](const auto& one) {
    return one.first.ends_with(".evidence.jsonl") && one.second.find("message_stop") != std::string::npos;
  });
  ASSERT_NE(file, texts.end());
  const auto copy = [&](const std::string& to, const std::string& path, const std::string& text) {
    std::filesystem::copy(folder.at("seen/1"), folder.at(to), std::filesystem::copy_options::recursive);
    folder.put(to + "/" + file->first, text);
    std::string manifest = texts.at("manifest.evidence.json");
    const std::size_t line = manifest.find("\"path\":\"" + file->first + "\"");
    const std::size_t digest = manifest.find("\"digest\":\"", line) + 10;
    manifest.replace(digest, 16, evidence_digest(text));
    if (!path.empty()) manifest.replace(line + 8, file->first.size(), path);
    folder.put(to + "/manifest.evidence.json", manifest);
  };
  copy("changed", "", std::regex_replace(file->second, std::regex("message_stop"), "message_spot"));
  const std::string clash = says({"seen", "changed"}, "joined");
  expect(clash, file->first + ": has another observation of the case openai.chat/");
  expect(clash, "the case ran twice: leave out one of the two folders");
  copy("escape", "../../x.evidence.jsonl", file->second);
  expect(says({"escape"}, "escaped"),
         "the manifest lists '../../x.evidence.jsonl', and splitproof run never writes");
}

// Writes the reports 1.jsonl, 2.jsonl and 3.jsonl of three shards to `shards`.
std::string run_three(const Folder& folder) {
  for (const std::string number : {"1", "2", "3"})
    run_shard(folder, "seen/" + number, number + "/3",
              {"--report", "jsonl:" + folder.at("shards/" + number + ".jsonl")});
  return merge(folder, {"shards"}).out;
}

TEST(Merge, ShardsOfAnEarlierMergeCountOnce) {
  const Folder folder;
  std::filesystem::create_directories(folder.at("shards"));
  const std::string whole = run_three(folder);
  ASSERT_NE(whole.find(" cases, "), std::string::npos) << whole;
  const auto partial = [&](const std::string& a, const std::string& b) {
    merge(folder, {"shards/" + a + ".jsonl", "shards/" + b + ".jsonl"},
          {"--partial", "--report", "jsonl:" + folder.at(a + b + ".jsonl")});
  };
  partial("1", "2");
  partial("1", "3");
  const auto last_line = [](const std::string& out) { return out.substr(out.rfind("splitproof: ")); };
  for (const std::vector<std::string>& reports :
       {std::vector<std::string>{"12.jsonl", "shards/1.jsonl", "shards/3.jsonl"},
        {"shards/2.jsonl", "shards/3.jsonl", "12.jsonl"},
        {"13.jsonl", "shards/2.jsonl"},
        {"shards", "13.jsonl"}})
    EXPECT_EQ(last_line(merge(folder, reports).out), last_line(whole)) << reports.front();
  const Finished both = merge(folder, {"12.jsonl", "13.jsonl"});
  EXPECT_EQ(both.code, 2);
  EXPECT_NE(both.err.find("13.jsonl: the report has shards 1, 3 of 3, and " + folder.at("12.jsonl") +
                          " has shards 1, 2 of 3, so some shards are in both; leave one of the two out"),
            std::string::npos)
      << both.err;
  merge(folder, {"shards"}, {"--report", "jsonl:" + folder.at("shards/whole.jsonl")});
  const Finished again = merge(folder, {"shards"});
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.err.find("whole.jsonl: the report is of no shard, and " + folder.at("shards/1.jsonl") +
                           " is of shard 1 of 3; leave one of the two out"),
            std::string::npos)
      << again.err;
}

TEST(Merge, PipeIsRefused) {
  const Folder folder;
  ASSERT_EQ(mkfifo(folder.at("pipe").c_str(), 0600), 0);
  const Finished merged = merge(folder, {"pipe"});
  EXPECT_EQ(merged.code, 2);
  EXPECT_NE(merged.err.find("pipe: is not a regular file"), std::string::npos) << merged.err;
}

}  // namespace
}  // namespace splitproof::cli::merge_test
