#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::commands_test {
namespace {

std::string first_word(const std::string& line) { return line.substr(0, line.find(' ')); }

TEST(Help, EveryCommandShowsAnExample) {
  const Finished all = splitproof({"--help"});
  EXPECT_EQ(all.code, 0);
  EXPECT_EQ(all.err, "");
  for (const std::string command : {"try", "doctor", "run", "check", "decode", "replay", "shrink", "upstream",
                                    "explain", "list", "import", "export", "judge", "self-test"}) {
    EXPECT_NE(all.out.find("\n  " + command + " "), std::string::npos) << command;
    const Finished help = splitproof({command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_NE(help.out.find("Example:\n  splitproof " + command + " "), std::string::npos) << help.out;
  }
  EXPECT_TRUE(splitproof({"--version"}).out.starts_with("splitproof 0."));
}

// Tests every fifth. The page of obligations explains all.
TEST(List, ObligationsBeginWithAnIdThatCanBeExplained) {
  const Finished list = splitproof({"list", "obligations"});
  EXPECT_EQ(list.code, 0);
  std::set<std::string> ids;
  for (const std::string& line : lines_of(list.out)) {
    const std::string id = first_word(line);
    EXPECT_TRUE(ids.insert(id).second) << id;
    if (ids.size() % 5 != 1) continue;
    const Finished explained = splitproof({"explain", id});
    EXPECT_EQ(explained.code, 0) << id;
    EXPECT_TRUE(explained.out.starts_with(id + "  ")) << explained.out;
    EXPECT_NE(explained.out.find("\nWhy: "), std::string::npos) << explained.out;
    EXPECT_NE(explained.out.find("\nJudged by `splitproof "), std::string::npos) << explained.out;
    // It compares with a similar stream only.
    std::size_t changes = 0;
    for (const std::string& told :
         lines_of(explained.out.substr(0, explained.out.find(" that violates it:"))))
      changes += told.starts_with("  - ") || told.starts_with("  + ") ? 1 : 0;
    EXPECT_LE(changes, 8U) << explained.out;
    EXPECT_EQ(id.starts_with("META-") || id.starts_with("RUN-") || id.starts_with("CONN-") || id == "SSE-15",
              explained.out.find(" that violates it:") == std::string::npos)
        << id;
  }
  EXPECT_TRUE(ids.contains("ANT-05") && ids.contains("META-03"));
}

TEST(List, RecordingsBeginWithAnIdThatCanBeReplayed) {
  const auto lines = lines_of(splitproof({"list", "recordings", "--only", "openai.chat/text-*"}).out);
  EXPECT_GE(lines.size(), 5u);
  for (const std::string& line : lines) EXPECT_EQ(splitproof({"replay", first_word(line)}).code, 0) << line;
}

TEST(List, TargetsAndProfiles) {
  EXPECT_EQ(first_word(splitproof({"list", "targets"}).out), "reference");
  const auto clients = lines_of(splitproof({"list", "clients"}).out);
  EXPECT_EQ(clients.size(), 46U * 4U + 51U * 3U + 101U * 4U + 16U * 3U + 16U * 2U);
  EXPECT_EQ(first_word(clients.front()), "anthropic-sdk");
  const auto lines = lines_of(splitproof({"list", "profiles"}).out);
  std::set<std::string> profiles;
  for (const std::string& line : lines) profiles.insert(first_word(line));
  EXPECT_EQ(lines.size(), profiles.size()) << "one line for each";
  EXPECT_EQ(profiles, (std::set<std::string>{"ai-sdk", "anthropic-sdk", "aprender", "bridge", "claude-code",
                                             "cliproxyapi", "codex", "default", "kiro-go", "openai-sdk",
                                             "opencode", "rescue", "strict-client", "windsurf"}));
}

TEST(List, KnobsShowTheirDifferencesFromTheDefault) {
  const std::string out = splitproof({"list", "knobs"}).out;
  EXPECT_NE(out.find("\nclaude-code    overlap                    indexed (default: sequential)\n"),
            std::string::npos)
      << out;
  for (const std::string& line : lines_of(out))
    EXPECT_EQ(line.find("(default: ") == std::string::npos, first_word(line) == "default") << line;
  EXPECT_NE(out.find("\ndefault        overlap                    sequential\n"), std::string::npos) << out;
}

TEST(List, JsonHasTheColumns) {
  for (const char* what :
       {"rules", "recordings", "targets", "profiles", "knobs", "mutants", "clients", "losses"}) {
    SCOPED_TRACE(what);
    const auto text = lines_of(splitproof({"list", what}).out);
    const auto json = lines_of(splitproof({"list", what, "--json"}).out);
    ASSERT_EQ(text.size(), json.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
      const auto object = nlohmann::ordered_json::parse(json[i]);
      EXPECT_TRUE(text[i].starts_with(object.front().get<std::string>())) << json[i];
    }
  }
}

TEST(List, OptionsWithoutEffectAreRefused) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"list", "targets", "--harm"},
                                             {"list", "mutants", "--corpus", "x"},
                                             {"list", "targets", "--contracts", "x"},
                                             {"run", "--quick", "--sweep"},
                                             {"run", "--quick", "--splits", "5"}}) {
    const Finished refused = splitproof(words);
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find(" has no effect "), std::string::npos) << refused.err;
  }
}

TEST(Explain, LettersOfAnIdListTheFamily) {
  const auto family = lines_of(splitproof({"explain", "tool"}).out);
  EXPECT_GE(family.size(), 15U);
  for (const std::string& line : family) EXPECT_TRUE(line.starts_with("TOOL-")) << line;
  EXPECT_EQ(splitproof({"explain", "TOOL-"}).out, splitproof({"explain", "tool"}).out);
  EXPECT_NE(splitproof({"explain", "TOOL-2"}).err.find("splitproof explain TOOL to see its family"),
            std::string::npos);
  const auto rule = nlohmann::json::parse(splitproof({"explain", "ANT-05", "--json"}).out);
  EXPECT_EQ(rule["id"], "ANT-05");
  EXPECT_FALSE(rule["clients"].empty());
}

// The lines of --json are the report, and the verdict is on standard error.
TEST(Json, RunsPrintTheReportAndNothingElse) {
  const Folder folder;
  const std::vector<std::string> words = {"run",
                                          "--target",
                                          "mutant:start-per-name",
                                          "--only",
                                          "openai.chat/tool-plain",
                                          "--report",
                                          "jsonl:" + folder.at("kept.jsonl")};
  const Finished run = splitproof(words);
  std::vector<std::string> more = words;
  more.back() = "jsonl:" + folder.at("again.jsonl");
  more.emplace_back("--json");
  const Finished json = splitproof(more);
  EXPECT_EQ(json.code, run.code);
  EXPECT_EQ(last_line(json.err), last_line(run.out));
  EXPECT_EQ(json.out, folder.text("again.jsonl"));
  for (const std::string& line : lines_of(json.out)) EXPECT_TRUE(nlohmann::json::parse(line).is_object());
  const Finished merged = splitproof({"merge", folder.at("kept.jsonl"), "--json"});
  EXPECT_EQ(merged.code, run.code);
  EXPECT_EQ(lines_of(merged.out).size(), lines_of(folder.text("kept.jsonl")).size());
  const Finished same = splitproof({"diff", folder.at("kept.jsonl"), folder.at("again.jsonl"), "--json"});
  EXPECT_EQ(nlohmann::json::parse(last_line(same.out))["verdict"], "SAME");
}

TEST(Explain, AnswersUnderWhichAStreamViolatesAreShown) {
  EXPECT_NE(
      splitproof({"explain", "THK-05"}).out.find("\nUnder signature: required, a stream that violates it:\n"),
      std::string::npos);
  EXPECT_NE(splitproof({"explain", "ANT-09"}).out.find("\nA stream that violates it:\n"), std::string::npos);
}

// The place is in the shown stream, and the lines with - are lines of it.
TEST(Explain, ShowsThePlaceOfTheViolationAndAFix) {
  const std::string out = splitproof({"explain", "ANT-05"}).out;
  EXPECT_NE(out.find("Findings in the stream below:\n  "), std::string::npos) << out;
  const std::size_t sample = out.find(" that violates it:");
  ASSERT_NE(sample, std::string::npos) << out;
  std::size_t gone = 0;
  std::size_t come = 0;
  for (const std::string& line : lines_of(out.substr(0, sample))) {
    const bool in_sample =
        line.size() > 4 && out.find("\n" + line.substr(4) + "\n", sample) != std::string::npos;
    if (line.starts_with("  - ")) gone += in_sample ? 1 : 100;
    if (line.starts_with("  + ")) come += in_sample ? 100 : 1;
  }
  EXPECT_EQ(gone, 3U) << out;
  EXPECT_EQ(come, 3U) << out;
}

TEST(Explain, TakesIdsAsTheyAreTyped) {
  EXPECT_EQ(splitproof({"explain", "ant-05"}).out, splitproof({"explain", "ANT-05"}).out);
  EXPECT_NE(splitproof({"explain", "ANT-01"}).out.find("\n    anthropic-sdk      throws          "),
            std::string::npos);
}

TEST(Replay, DownstreamBytesDoNotDependOnTheCuts) {
  const std::string id = "openai.chat/tool-parallel-interleaved";
  const Finished whole = splitproof({"replay", id + "?gen=whole", "--downstream"});
  EXPECT_EQ(whole.code, 0);
  EXPECT_TRUE(whole.out.starts_with("event: message_start\n")) << whole.out;
  EXPECT_TRUE(last_line(whole.err).starts_with("splitproof: CONFORMS  1 recording, 1 case, ")) << whole.err;
  for (const char* split : {"", "?gen=bytes", "?cuts=1,2,400",
                            "?client=anthropic.messages&gen=random:3:seed9", "?gen=seams:key"}) {
    EXPECT_EQ(splitproof({"replay", id + split, "--downstream"}).out, whole.out) << split;
  }
}

TEST(Replay, ShowsBothSidesAndEndsWithTheVerdict) {
  const Finished finished = splitproof({"replay", "openai.chat/text-plain?cuts=118"});
  EXPECT_EQ(finished.code, 0);
  EXPECT_NE(finished.out.find("-- bytes 0-118"), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("-- end: complete"), std::string::npos);
  EXPECT_TRUE(last_line(finished.out).starts_with("splitproof: CONFORMS  1 recording, 1 case, "));
}

// The reference reads the requested upstream, or the recording's.
TEST(Reference, SpeaksTheRequestedProtocols) {
  const std::string id = "anthropic.messages/text-plain";
  const Finished ran = splitproof({"run", "--upstream", "anthropic.messages", "--client", "openai.chat",
                                   "--only", id + "?*gen=bytes", "--report", "jsonl:/dev/stdout"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find(R"("target":"reference:anthropic.messages")"), std::string::npos) << ran.out;
  const Finished replayed = splitproof({"replay", id, "--client", "openai.chat", "--downstream"});
  EXPECT_EQ(replayed.code, 0) << replayed.err;
  EXPECT_NE(replayed.out.find("chat.completion.chunk"), std::string::npos) << replayed.out;
  EXPECT_NE(splitproof({"replay", id, "--client", "openai.responses", "--downstream"})
                .out.find("response.completed"),
            std::string::npos);
}

TEST(Import, MakesARecordingThatRuns) {
  const Folder folder;
  const std::string body =
      "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\n";
  const std::string capture = folder.put("cap.sse", body);
  const Finished imported =
      splitproof({"import", "sse", capture, "--protocol", "openai.chat", "--out", folder.at("a/b"),
                  "--chunks", "5," + std::to_string(body.size() - 5)});
  EXPECT_EQ(imported.code, 0) << imported.err;
  EXPECT_EQ(imported.out, folder.at("a/b/cap.rec.jsonl") + "  " + std::to_string(body.size()) +
                              " bytes, 2 chunks, segments: exact\n");
  const Finished run = splitproof({"run", "--corpus", folder.at("a")});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_EQ(splitproof({"replay", folder.at("a/b/cap.rec.jsonl")}).code, 0);
}

}  // namespace
}  // namespace splitproof::cli::commands_test
