#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli {
namespace {

const std::vector<std::string> kOnly = {"--only", "openai.chat/tool-p*"};

Finished run_into(const std::string& evidence, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments = {"run", "--evidence", evidence};
  arguments.insert(arguments.end(), kOnly.begin(), kOnly.end());
  arguments.insert(arguments.end(), more.begin(), more.end());
  return splitproof(arguments);
}

// Text deltas of the reference are longer than that.
std::string impossible_rule(const Folder& folder) {
  folder.put("rules/mine.yaml",
             "contract: anthropic.messages.downstream\nversion: 1\nevents: {begin: {/type: message_start}}\n"
             "obligations:\n  - {id: MINE-01, level: must, says: There is no message., never: begin any}\n");
  return folder.at("rules");
}

TEST(Judge, FindsWhatTheRunFound) {
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

TEST(Judge, TakesFilesOneByOne) {
  const Folder folder;
  ASSERT_EQ(run_into(folder.at("seen")).code, 0);
  const std::string file = folder.at("seen/reference/openai.chat/tool-plain.evidence.jsonl");
  const Finished judged = splitproof({"judge", file});
  EXPECT_EQ(judged.code, 0) << judged.err;
  EXPECT_NE(last_line(judged.out).find(" 1 recording, "), std::string::npos) << judged.out;
}

// A program behind a pipe has rules of its own (RUN), which a library in the process cannot break.
TEST(Judge, JoinsEvidenceOfTwoKindsInAnyOrder) {
  const Folder folder;
  ASSERT_EQ(run_into(folder.at("seen")).code, 0);
  const std::string in_process = folder.at("seen/reference/openai.chat/tool-plain.evidence.jsonl");
  std::string text = folder.text("seen/reference/openai.chat/tool-plain.evidence.jsonl");
  const std::string kind = R"("kind":"in-process")";
  text.replace(text.find(kind), kind.size(), R"("kind":"pipe")");
  const std::string behind_pipe = folder.put("pipe.evidence.jsonl", text);
  const std::string ended = "\n{\"end\":\"complete\"";
  for (std::size_t at = text.find(ended); at != text.npos; at = text.find(ended, at + 1))
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

TEST(Judge, SaysWhatCannotBeJudged) {
  const Folder folder;
  EXPECT_EQ(splitproof({"judge", folder.at("none")}).code, 2);
  folder.put("empty/notes.txt", "");
  const Finished empty = splitproof({"judge", folder.at("empty")});
  EXPECT_EQ(empty.code, 2);
  EXPECT_NE(empty.err.find("the folder has no evidence"), std::string::npos) << empty.err;
  const std::string broken = folder.put("x.evidence.jsonl", "{\"evidence\":1}\n");
  const Finished judged = splitproof({"judge", broken});
  EXPECT_EQ(judged.code, 2);
  EXPECT_NE(judged.err.find(broken + ":1: the head has no `target`"), std::string::npos) << judged.err;
  const std::string bare = folder.put(
      "y.evidence.jsonl",
      R"({"evidence":1,"target":"t","client":"anthropic.messages","upstream":"openai.chat","kind":"http"})"
      "\n{\"exhibits\":0}\n");
  EXPECT_NE(splitproof({"judge", bare}).err.find("no recording in it"), std::string::npos);
}

TEST(Run, EvidenceThatCannotBeWrittenIsAnError) {
  const Folder folder;
  folder.put("file", "");
  const Finished run = run_into(folder.at("file"));
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("evidence cannot be written there"), std::string::npos) << run.err;
  EXPECT_EQ(run.out, "") << "said before anything runs";
}

}  // namespace
}  // namespace splitproof::cli
