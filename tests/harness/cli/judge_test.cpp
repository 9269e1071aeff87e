#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::judge_test {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kOnly = {"--only", "openai.chat/tool-p*"};

Finished run_into(const std::string& evidence, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {"run", "--evidence", evidence};
  arguments.insert(arguments.end(), kOnly.begin(), kOnly.end());
  arguments.insert(arguments.end(), more.begin(), more.end());
  return splitproof(arguments);
}

// Writes a rule that every message violates.
std::string impossible_rule(const Folder& folder) {
  folder.put("rules/mine.yaml",
             "contract: anthropic.messages.downstream\nversion: 1\nevents: {begin: {/type: message_start}}\n"
             "obligations:\n  - {id: MINE-01, level: must, says: There is no message., never: begin any}\n");
  return folder.at("rules");
}

TEST(Judge, FindingsEqualTheFindingsOfTheRun) {
  const Folder folder;
  const Finished run = run_into(folder.at("seen"));
  ASSERT_EQ(run.code, 0) << run.err;
  const Finished judged = splitproof({"judge", folder.at("seen")});
  EXPECT_EQ(judged.code, 0) << judged.err;
  EXPECT_EQ(last_line(judged.out), last_line(run.out));

  const std::string rules = impossible_rule(folder);
  const Finished again = splitproof({"judge", folder.at("seen"), "--contracts", rules});
  EXPECT_EQ(again.code, 1);
  EXPECT_EQ(last_line(again.out), last_line(run_into(folder.at("seen2"), {"--contracts", rules}).out));
  folder.put("known.txt", "VIOLATES * * MINE-01 # nobody meets it\n");
  EXPECT_EQ(
      splitproof({"judge", folder.at("seen"), "--contracts", rules, "--expect", folder.at("known.txt")}).code,
      0);
}

// Removes the parts of a report that depend on the command or that only the run knows. Judging runs nothing, so it
// finds no smallest case, cuts no seam, and does not know the run's options.
std::string without_run(const std::string& report) {
  static const std::regex kSmallest("\nSmallest: [^]*?```sh\n[^]*?```\n");
  static const std::regex kCommand("\n *(- |<property name=\")?(command|began|took)\\b.*");
  static const std::regex kDuration(R"(, [0-9.\\]+ m?s\b)");
  std::istringstream lines(std::regex_replace(
      std::regex_replace(std::regex_replace(report, kSmallest, ""), kCommand, ""), kDuration, ""));
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    auto object = nlohmann::ordered_json::parse(line, nullptr, false);
    if (!object.is_object()) {
      text += line + "\n";
    } else if (!object.contains("body")) {
      for (const char* member : {"smallest", "run", "context", "plan"}) object.erase(member);
      if (object.contains("result")) object["result"].erase("coverage");
      text += object.dump() + "\n";
    }
  }
  return text;
}

TEST(Judge, ReportsEqualTheReportsOfTheRun) {
  const Folder folder;
  for (const char* name : {"error-first", "error-first-then-done", "error-named-event", "text-plain"})
    folder.put(
        "mine/" + std::string(name) + ".rec.jsonl",
        folder.text((source_root() / "corpus/openai.chat" / (std::string(name) + ".rec.jsonl")).string()));
  const auto reports_in = [&](const std::string& to, std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--strict", "--contracts", impossible_rule(folder)});
    for (const char* format : {"jsonl", "junit", "md"})
      arguments.insert(arguments.end(),
                       {"--report", std::string(format) + ":" + folder.put(to + "/" + format, "")});
    EXPECT_EQ(splitproof(arguments).code, 1);
  };
  reports_in("run", {"run", "--corpus", folder.at("mine"), "--only", "*gen=whole", "--profile", "claude-code",
                     "--seed", "7", "--target", "reference", "--target", "mutant:error-as-empty-success",
                     "--evidence", folder.at("seen")});
  reports_in("judge", {"judge", folder.at("seen")});
  for (const char* format : {"jsonl", "junit"})
    EXPECT_EQ(without_run(folder.text(std::string("judge/") + format)),
              without_run(folder.text(std::string("run/") + format)));
  EXPECT_NE(folder.text("run/jsonl").find("\"smallest\":"), std::string::npos);
  EXPECT_NE(folder.text("run/jsonl").find("mutant:error-as-empty-success --strict --corpus "),
            std::string::npos);
  std::string page = without_run(folder.text("judge/md"));
  page.replace(page.find(folder.at("seen")), folder.at("seen").size(), folder.at("mine"));
  EXPECT_EQ(page, without_run(folder.text("run/md")));
}

TEST(Judge, InputFilesAreNotOverwritten) {
  const Folder folder;
  ASSERT_EQ(run_into(folder.at("seen")).code, 0);
  const std::string name = "seen/reference/openai.chat/tool-plain.evidence.jsonl";
  const std::string text = folder.text(name);
  const Finished judged =
      splitproof({"judge", folder.at("seen"), "--report", "md:" + folder.at("seen/../" + name)});
  EXPECT_EQ(judged.code, 2) << judged.out;
  EXPECT_NE(judged.err.find("a report would overwrite it"), std::string::npos) << judged.err;
  EXPECT_EQ(folder.text(name), text);
  const Finished full = splitproof({"judge", folder.at("seen"), "--report", "jsonl:/dev/full"});
  EXPECT_EQ(full.code, 2);
  EXPECT_TRUE(last_line(full.out).ends_with(", 1 file not written")) << full.out;
}

TEST(Judge, TakesFilesOneByOne) {
  const Folder folder;
  ASSERT_EQ(run_into(folder.at("seen")).code, 0);
  const std::string file = folder.at("seen/reference/openai.chat/tool-plain.evidence.jsonl");
  const Finished judged = splitproof({"judge", file});
  EXPECT_EQ(judged.code, 0) << judged.err;
  EXPECT_NE(last_line(judged.out).find(" 1 recording, "), std::string::npos) << judged.out;
}

// A program behind a pipe has its own rules (RUN), which a library in the process cannot violate.
TEST(Judge, JoinsEvidenceOfTwoKindsInAnyOrder) {
  const Folder folder;
  ASSERT_EQ(run_into(folder.at("seen")).code, 0);
  const std::string in_process = folder.at("seen/reference/openai.chat/tool-plain.evidence.jsonl");
  std::string text = folder.text("seen/reference/openai.chat/tool-plain.evidence.jsonl");
  const std::string kind = R"("kind":"in-process")";
  text.replace(text.find(kind), kind.size(), R"("kind":"pipe")");
  const std::string behind_pipe = folder.put("pipe.evidence.jsonl", text);
  const std::string ended = "\n{\"end\":\"complete\"";
  // After the first one, because its client continues from there.
  for (std::size_t at = text.find(ended, text.find(ended) + 1); at != text.npos;
       at = text.find(ended, at + 1))
    text.replace(at, ended.size(), "\n{\"end\":\"crashed\"");
  const std::string crashed = folder.put("crashed.evidence.jsonl", text);

  for (const auto& [other, code] : {std::pair(behind_pipe, 0), std::pair(crashed, 1)}) {
    const Finished one = splitproof({"judge", in_process, other});
    const Finished two = splitproof({"judge", other, in_process});
    EXPECT_EQ(one.code, code) << one.err;
    EXPECT_EQ(two.code, code) << two.err;
    EXPECT_EQ(last_line(one.out), last_line(two.out));
    EXPECT_EQ(one.out.find("RUN-01") != one.out.npos, code == 1) << one.out;
  }
}

TEST(Judge, UnjudgeableEvidenceIsReported) {
  const Folder folder;
  EXPECT_EQ(splitproof({"judge", folder.at("none")}).code, 2);
  folder.put("empty/notes.txt", "");
  const Finished empty = splitproof({"judge", folder.at("empty")});
  EXPECT_EQ(empty.code, 2);
  EXPECT_NE(empty.err.find("the folder has no evidence files"), std::string::npos) << empty.err;
  const std::string broken = folder.put("x.evidence.jsonl", "{\"evidence\":1}\n");
  const Finished judged = splitproof({"judge", broken});
  EXPECT_EQ(judged.code, 2);
  EXPECT_NE(judged.err.find(broken + ":1: the head has no `target`"), std::string::npos) << judged.err;
  const std::string bare = folder.put(
      "y.evidence.jsonl",
      R"({"evidence":1,"target":"t","client":"anthropic.messages","upstream":"openai.chat","kind":"http"})"
      "\n{\"exhibits\":0}\n");
  EXPECT_NE(splitproof({"judge", bare}).err.find("has no recording"), std::string::npos);
}

// Half a run must not conform.
TEST(Judge, ChangedFolderIsRefused) {
  const Folder folder;
  ASSERT_EQ(run_into(folder.at("seen")).code, 0);
  const std::string name = "seen/reference/openai.chat/tool-plain.evidence.jsonl";
  const std::string text = folder.text(name);
  const auto refused = [&](const std::string& path, const std::string& what) {
    const Finished judged = splitproof({"judge", path});
    EXPECT_EQ(judged.code, 2) << judged.out;
    EXPECT_EQ(judged.out, "");
    EXPECT_NE(judged.err.find(what), std::string::npos) << judged.err;
  };

  fs::remove(folder.at(name));
  refused(folder.at("seen"), folder.at(name) + ": is missing, although ");
  refused(folder.at("seen/reference/openai.chat"), folder.at(name) + ": is missing, although ");
  std::string other = text;
  other.replace(other.find("Leith"), 5, "Perth");
  folder.put(name, other);
  refused(folder.at("seen"), folder.at(name) + ": has changed since the run");
  folder.put(name, text.substr(0, text.size() / 2));
  refused(folder.at("seen"), folder.at(name) + ": has changed since the run");
  folder.put(name, text);
  EXPECT_EQ(splitproof({"judge", folder.at("seen")}).code, 0);

  const std::string foreign = folder.put("seen/reference/mine.evidence.jsonl", text);
  refused(folder.at("seen"), foreign + ": is not listed in ");
  EXPECT_EQ(splitproof({"judge", folder.at("seen/reference/openai.chat"), foreign}).code, 0)
      << "what is named by itself is taken as it is";
  fs::remove(foreign);

  const std::string manifest = folder.text("seen/manifest.evidence.json");
  folder.put("seen/manifest.evidence.json", manifest.substr(0, manifest.size() - 3));
  refused(folder.at("seen"), "manifest.evidence.json: the manifest is not JSON");
  fs::remove(folder.at("seen/manifest.evidence.json"));
  refused(folder.at("seen"), "the run was interrupted");
  EXPECT_EQ(splitproof({"judge", folder.at(name)}).code, 0);
}

TEST(Judge, TakesTheFoldersOfSeveralRuns) {
  const Folder folder;
  const Finished one = run_into(folder.at("runs/one"));
  ASSERT_EQ(run_into(folder.at("runs/two"), {"--seed", "2"}).code, 0);
  EXPECT_EQ(splitproof({"judge", folder.at("runs")}).code, 0);
  EXPECT_EQ(last_line(splitproof({"judge", folder.at("runs/one/reference")}).out), last_line(one.out))
      << "the manifest is in the folder above";
}

TEST(Judge, EvidenceOfSomeShardsLeavesTheVerdictOpen) {
  const Folder folder;
  for (const std::string number : {"1", "2"})
    ASSERT_EQ(run_into(folder.at("seen/" + number), {"--shard", number + "/2"}).code, 0);
  const auto verdict = [&](const std::string& name) {
    return last_line(splitproof({"judge", folder.at(name)}).out);
  };
  EXPECT_NE(verdict("seen/1").find("CONFORMS SO FAR  "), std::string::npos) << verdict("seen/1");
  EXPECT_NE(verdict("seen/1").find(", shard 1 of 2"), std::string::npos) << verdict("seen/1");
  EXPECT_NE(verdict("seen").find("CONFORMS  "), std::string::npos) << verdict("seen");
  // A report of judged evidence is not a part of the run.
  splitproof({"judge", folder.at("seen/1"), "--report", "jsonl:" + folder.at("judged.jsonl")});
  ASSERT_EQ(
      run_into(folder.at("again"), {"--shard", "2/2", "--report", "jsonl:" + folder.at("2.jsonl")}).code, 0);
  EXPECT_EQ(splitproof({"merge", folder.at("judged.jsonl"), folder.at("2.jsonl")}).code, 2);

  ASSERT_EQ(run_into(folder.at("seen/other")).code, 0);
  EXPECT_EQ(splitproof({"judge", folder.at("seen")}).code, 0);
  const Finished mixed = splitproof({"judge", folder.at("seen/other"), folder.at("seen/1")});
  EXPECT_EQ(mixed.code, 2);
  EXPECT_NE(mixed.err.find("one of them lacks 1 of 2 shards; judge each run by itself"), std::string::npos)
      << mixed.err;
}

TEST(Judge, UnfinishedPartsOfTheRunAreReported) {
  const Folder folder;
  ASSERT_EQ(run_into(folder.at("seen")).code, 0);
  const std::string name = "seen/manifest.evidence.json";
  const std::string manifest = folder.text(name);
  const auto with = [&](const std::string& said, const std::string& instead) {
    std::string text = manifest;
    text.replace(text.find(said), said.size(), instead);
    folder.put(name, text);
    return splitproof({"judge", folder.at("seen")});
  };
  EXPECT_EQ(with(R"("untested": {})", R"("untested": {"other": "it ended"})").code, 4);
  EXPECT_EQ(with(R"("unreadable": 0)", R"("unreadable": 1)").code, 2);
}

TEST(Run, InterruptedRunLeavesNoManifest) {
  const Folder folder;
  ASSERT_EQ(run_into(folder.at("seen")).code, 0);
  const Finished broken_off =
      splitproof_on_terminal({"run", "--evidence", folder.at("seen"), "--jobs", "1"}, " recordings", SIGINT);
  ASSERT_EQ(broken_off.code, 130) << broken_off.err;
  const Finished judged = splitproof({"judge", folder.at("seen")});
  EXPECT_EQ(judged.code, 2);
  EXPECT_NE(judged.err.find("the run was interrupted"), std::string::npos) << judged.err;
}

TEST(Run, EvidenceThatCannotBeWrittenIsAnError) {
  const Folder folder;
  folder.put("file", "");
  const Finished run = run_into(folder.at("file"));
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("evidence cannot be written to this folder"), std::string::npos) << run.err;
  EXPECT_EQ(run.out, "") << "said before anything runs";
}

TEST(Judge, OpensNoFileThatEvidenceNames) {
  const Folder folder;
  ASSERT_EQ(
      splitproof({"run", "--only", "openai.chat/text-plain*gen=whole", "--evidence", folder.at("seen")}).code,
      0);
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder.at("seen"))) {
    if (!entry.is_regular_file() || entry.path().filename().string().starts_with("manifest")) continue;
    std::string text = folder.text(entry.path().string());
    const std::size_t at = text.find("\"profile\":\"default\"");
    ASSERT_NE(at, text.npos);
    const std::string forged =
        folder.put("forged.evidence.jsonl", text.replace(at, 19, "\"profile\":\"/dev/zero\""));
    const Finished refused = splitproof({"judge", forged});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("names a profile file, '/dev/zero'"), std::string::npos) << refused.err;
    EXPECT_EQ(splitproof({"judge", forged, "--profile", "default"}).code, 0);
  }
}

}  // namespace
}  // namespace splitproof::cli::judge_test
