// `splitproof prove` with the reference, mutants, libraries and targets that cannot be proved.

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::prove_test {
namespace {

// Returns the arguments of the commands in a text, without the program's name.
std::vector<std::vector<std::string>> replays_in(const std::string& text) {
  const std::string begin = "  splitproof replay '";
  std::vector<std::vector<std::string>> commands;
  for (const std::string& line : lines_of(text)) {
    if (!line.starts_with(begin)) continue;
    const std::size_t end = line.find("' --target ");
    commands.push_back({"replay", line.substr(begin.size(), end - begin.size()), "--target",
                        line.substr(end + std::string("' --target ").size()), "--downstream"});
  }
  return commands;
}

TEST(Prove, ReferenceIsProvedInAllDirections) {
  const Finished proved = splitproof({"prove", "--only", "*.chat/text-plain"});
  EXPECT_EQ(proved.code, 0) << proved.out << proved.err;
  EXPECT_NE(proved.out.find("proved 1 of 1 recording, 2^(n-1) splits each"), std::string::npos) << proved.out;
  EXPECT_EQ(last_line(proved.out).find("splitproof: PROVED  "), 0U) << proved.out;
  EXPECT_NE(last_line(proved.out).find(" in 10 directions, all splits"), std::string::npos);
}

TEST(Prove, OneDirectionIsSelected) {
  const Finished proved =
      splitproof({"prove", "--only", "openai.chat/text-plain", "--client", "openai.responses"});
  EXPECT_EQ(proved.code, 0) << proved.err;
  EXPECT_EQ(last_line(proved.out), "splitproof: PROVED  1 of 1 recording, all splits");
}

TEST(Prove, ProfileLeavesOutDirectionsOfTheReference) {
  const Finished proved = splitproof({"prove", "--only", "openai.chat/done-alone", "--profile", "rescue"});
  EXPECT_EQ(proved.code, 0) << proved.err;
  EXPECT_NE(proved.err.find("left out openai.chat for openai.chat: "), std::string::npos) << proved.err;
  EXPECT_EQ(last_line(proved.out), "splitproof: PROVED  4 of 4 recordings in 4 directions, all splits");
  const Finished none = splitproof({"prove", "--only", "openai.chat/done-alone", "--profile", "rescue",
                                    "--upstream", "openai.chat", "--client", "openai.chat"});
  EXPECT_EQ(none.code, 2) << none.out;
}

TEST(Prove, RefutationHasTwoReplaysWithDifferentOutput) {
  const Finished refuted = splitproof(
      {"prove", "--target", "mutant:per-chunk-utf8", "--only", "openai.chat/end-inside-character"});
  EXPECT_EQ(refuted.code, 1) << refuted.err;
  EXPECT_EQ(last_line(refuted.out).find("splitproof: REFUTED  1 recording"), 0U) << refuted.out;
  const auto replays = replays_in(refuted.out);
  ASSERT_EQ(replays.size(), 2U) << refuted.out;
  EXPECT_NE(splitproof(replays[0]).out, splitproof(replays[1]).out);
}

TEST(Prove, JsonHasDirectionsAndCases) {
  const Finished refuted = splitproof(
      {"prove", "--target", "mutant:per-chunk-utf8", "--only", "openai.chat/end-inside-character", "--json"});
  EXPECT_EQ(refuted.code, 1);
  const std::vector<std::string> lines = lines_of(refuted.out);
  ASSERT_EQ(lines.size(), 2U) << refuted.out;
  const auto direction = nlohmann::json::parse(lines[0]);
  EXPECT_EQ(direction["upstream"], "openai.chat");
  EXPECT_EQ(direction["refuted"], 1);
  EXPECT_EQ(direction["cuts"], nullptr);
  const auto failed = nlohmann::json::parse(lines[1]);
  EXPECT_EQ(failed["verdict"], "refuted");
  EXPECT_EQ(failed["cases"].size(), 2U);
  EXPECT_EQ(last_line(refuted.err).find("splitproof: REFUTED  "), 0U);
}

TEST(Prove, ExampleLibraryIsProved) {
  const char* library = std::getenv("SPLITPROOF_EXAMPLE_LIBRARY");
  const Folder folder;
  const std::string target = folder.put(
      "mine.yaml",
      "target: mine\nkind: in-process\nclient: anthropic.messages\nupstream: openai.chat\nlibrary: " +
          std::string(library != nullptr ? library : "translate.so") + "\n");
  const Finished proved = splitproof({"prove", "--target", target, "--only", "openai.chat/text-plain"});
  EXPECT_EQ(proved.code, 0) << proved.out << proved.err;
  EXPECT_EQ(last_line(proved.out), "splitproof: PROVED  1 of 1 recording, all splits");
  const Finished few =
      splitproof({"prove", "--target", target, "--only", "openai.chat/done-alone", "--cuts", "2"});
  EXPECT_EQ(few.code, 0) << few.out << few.err;
  EXPECT_EQ(last_line(few.out), "splitproof: PROVED  1 of 1 recording, all splits with at most 2 cuts");
}

TEST(Prove, ProgramOverAPipeIsTriedWithFewCuts) {
  const std::string target = (source_root() / "docs/examples/python.yaml").string();
  const Finished proved =
      splitproof({"prove", "--target", target, "--only", "openai.chat/done-alone", "--cuts", "1"});
  EXPECT_EQ(proved.code, 0) << proved.out << proved.err;
  EXPECT_EQ(last_line(proved.out), "splitproof: PROVED  1 of 1 recording, all splits with at most 1 cut");
}

TEST(Prove, WrongTargetsAndSelectionsAreNamed) {
  const Finished program = splitproof({"prove", "--target", "reference-http"});
  EXPECT_EQ(program.code, 2);
  EXPECT_NE(program.err.find("prove cannot test reference-http, which is a server"), std::string::npos)
      << program.err;
  const Finished nothing = splitproof({"prove", "--only", "openai.chat/no-such-recording"});
  EXPECT_EQ(nothing.code, 5);
  EXPECT_NE(nothing.err.find("no recording is left to prove"), std::string::npos) << nothing.err;
  const Finished cuts = splitproof({"prove", "--cuts", "0"});
  EXPECT_EQ(cuts.code, 2) << cuts.err;
}

}  // namespace
}  // namespace splitproof::cli::prove_test
