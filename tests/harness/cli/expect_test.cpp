// Known failures: their effect with `run --expect`, and the file from `--write-expect`.

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::expect_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Rules that the reference violates only with long texts.
constexpr const char* kTerse = R"(contract: anthropic.messages.downstream
version: 1
events:
  words: {/delta/type: text_delta}
obligations:
  - id: MINE-01
    level: must
    says: No text delta is longer than five characters.
    why: Our display has five columns.
    each: words
    where: {/delta/text: {matches: '.{0,5}'}}
  - id: MINE-02
    level: should
    says: No text delta is longer than six characters.
    why: It looks bad.
    each: words
    where: {/delta/text: {matches: '.{0,6}'}}
)";

const std::string kLong = "VIOLATES reference long MINE-01 # five columns";

// A corpus with three recordings, and a path for an expectation file. The recordings `long` and `longer` violate both
// rules, and the third recording conforms.
class Expect : public testing::Test {
 protected:
  Expect() {
    folder_.put("rules/mine.yaml", kTerse);
    for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
             {"long", "columns"}, {"longer", "many columns"}, {"short", "five"}}) {
      folder_.put("corpus/" + name + ".rec.jsonl", recording(text));
    }
  }

  static std::string recording(const std::string& text) {
    const json body =
        "data: {\"id\":\"c\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\","
        "\"content\":\"" +
        text + "\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    return "{\"splitproof\":1,\"protocol\":\"openai.chat\",\"response\":{\"status\":200}}\n{\"at\":0,\"text\":" +
           body.dump() + "}\n{\"at\":0,\"end\":\"complete\"}\n";
  }

  std::string known(const std::string& text) const { return folder_.put("known.txt", text); }

  Finished run(const std::vector<std::string>& more, bool with_rules = true) const {
    std::vector<std::string> arguments{"run", "--corpus", folder_.at("corpus"), "--splits", "2"};
    if (with_rules) arguments.insert(arguments.end(), {"--contracts", folder_.at("rules")});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return splitproof(arguments);
  }

  // Runs with this text as the file of known failures.
  Finished expecting(const std::string& text, std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--expect", known(text)});
    return run(more);
  }

  const Folder folder_;
};

TEST_F(Expect, KnownFailuresDecideNothing) {
  const Finished finished =
      expecting("# why\n" + kLong + "\n\nVIOLATES ref* longer MINE-0?\n",
                {"--report", "jsonl:" + folder_.at("r.jsonl"), "--report", "junit:" + folder_.at("r.xml")});
  EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
  EXPECT_TRUE(last_line(finished.out).starts_with("splitproof: CONFORMS  3 recordings, ")) << finished.out;
  EXPECT_NE(last_line(finished.out).find(", 0 findings (3 expected), 1 advisory"), std::string::npos)
      << finished.out;
  EXPECT_NE(finished.out.find("known.txt:2: MINE-01 on reference, long: five columns\n"), std::string::npos)
      << finished.out;
  EXPECT_EQ(finished.out.find("[MINE-01, must]"), std::string::npos) << finished.out;
  EXPECT_EQ(folder_.text("r.xml").find("<failure"), std::string::npos);
  std::size_t expected = 0;
  for (const std::string& line : lines_of(folder_.text("r.jsonl"))) {
    const json row = json::parse(line);
    if (!row.contains("obligation") || row["verdict"] != "violated") continue;
    EXPECT_EQ(row["expected"], row["obligation"] == "MINE-01" || row["recording"] == "longer") << row;
    expected += row["expected"] == true ? 1 : 0;
  }
  EXPECT_EQ(expected, 3U);
}

TEST_F(Expect, AnyOtherFailureFails) {
  const Finished one = expecting(kLong + "\n", {"--all"});
  EXPECT_EQ(one.code, 1);
  EXPECT_NE(last_line(one.out).find(", 1 finding (1 expected), 2 advisory"), std::string::npos) << one.out;
  EXPECT_NE(one.out.find("1 recording on reference\n  found     longer: "), std::string::npos) << one.out;
  EXPECT_EQ(expecting("VIOLATES * * MINE-01\n").code, 0);
  EXPECT_EQ(expecting("VIOLATES * * MINE-01\n", {"--strict"}).code, 1) << "advice was not expected";
  EXPECT_EQ(expecting("VIOLATES * * MINE-0[12]\n", {"--strict"}).code, 0);
}

TEST_F(Expect, StaleExpectationFails) {
  for (const auto& [entry, why] : std::vector<std::pair<std::string, std::string>>{
           {"VIOLATES reference short MINE-01", "the rule was met"},
           {"VIOLATES * * ANT-05", "the rule was met"},
           {"VIOLATES reference none MINE-01", "no result matches it"},
           {"VIOLATES reference short TOOL-01", "the rule was not exercised or not judged"}}) {
    SCOPED_TRACE(entry);
    const Finished finished = expecting("VIOLATES * * MINE-01\n" + entry + " # hm\n");
    EXPECT_EQ(finished.code, 1);
    EXPECT_TRUE(last_line(finished.out).starts_with("splitproof: VIOLATES  ")) << finished.out;
    EXPECT_TRUE(
        last_line(finished.out).ends_with(", 0 findings (2 expected), 2 advisory, 1 stale expectation"))
        << finished.out;
    EXPECT_NE(finished.out.find("known.txt:2: " + why + "; " + entry + " # hm\n"), std::string::npos)
        << finished.out;
  }
}

TEST_F(Expect, OnlyAWholeRunOfItsTargetMakesAnEntryStale) {
  const std::string stale = "VIOLATES * * MINE-01\nVIOLATES reference short MINE-01\n";
  EXPECT_EQ(expecting(stale).code, 1);
  EXPECT_EQ(expecting(stale, {"--only", "*"}).code, 0);
  EXPECT_EQ(expecting(stale, {"--fail-fast"}).code, 0);
  EXPECT_EQ(expecting("VIOLATES * * MINE-01\nVIOLATES ccr short MINE-01\n").code, 0);
}

TEST_F(Expect, EntryThatAcceptsEverythingIsReported) {
  for (const auto& [entry, is_told] : std::vector<std::pair<std::string, bool>>{
           {"VIOLATES * * *", true}, {"VIOLATES reference ** *", true}, {"VIOLATES * * MINE-01", false}}) {
    const Finished finished = run({"--only", "short", "--expect", known(entry + "\n")});
    EXPECT_EQ(
        finished.err.find("line 1: an entry whose glob is * accepts every violation") != std::string::npos,
        is_told)
        << entry << "\n"
        << finished.err;
  }
}

TEST_F(Expect, FailFastIgnoresExpectedFindings) {
  const Finished all = expecting("VIOLATES * * MINE-01\n", {"--fail-fast"});
  EXPECT_EQ(all.code, 0);
  EXPECT_TRUE(last_line(all.out).starts_with("splitproof: CONFORMS  3 recordings, ")) << all.out;
  const Finished second = expecting(kLong, {"--fail-fast"});
  EXPECT_EQ(second.code, 1);
  EXPECT_TRUE(last_line(second.out).starts_with("splitproof: VIOLATES  2 recordings, ")) << second.out;
  const Finished first = expecting("VIOLATES * longer MINE-01\n", {"--fail-fast"});
  EXPECT_TRUE(last_line(first.out).starts_with("splitproof: VIOLATES  1 recording, ")) << first.out;
}

TEST_F(Expect, WrittenExpectationsMatchTheNextRun) {
  const std::string path = folder_.at("known.txt");
  const Finished without = run({});
  for (const bool strict : {false, true}) {
    SCOPED_TRACE(strict);
    fs::remove(path);
    std::vector<std::string> options;
    if (strict) options.push_back("--strict");
    const auto with = [&](std::vector<std::string> more) {
      more.insert(more.end(), options.begin(), options.end());
      return run(more);
    };
    const Finished wrote = with({"--write-expect", path});
    EXPECT_EQ(wrote.code, 1) << "as without it";
    if (!strict) {
      EXPECT_EQ(without_times(wrote.out), without_times(without.out));
    }
    const std::string text = folder_.text("known.txt");
    EXPECT_EQ(lines_of(text).size(), strict ? 4U : 2U) << text;
    EXPECT_TRUE(text.starts_with(
        "VIOLATES reference long MINE-01 says=\"/delta/text is\" # /delta/text is \"columns\", wanted "))
        << text;
    const Finished next = with({"--expect", path, "--write-expect", path});
    EXPECT_EQ(next.code, 0) << next.out;
    EXPECT_EQ(folder_.text("known.txt"), text);
  }
}

TEST_F(Expect, WritingKeepsCommentsAndDropsStaleEntries) {
  const std::string path = known(
      "# ours\r\n\nVIOLATES reference short MINE-01 # fixed\nVIOLATES * long MINE-* # all\nVIOLATES ccr x y");
  const Finished part = run({"--only", "longer", "--write-expect", path});
  EXPECT_EQ(part.code, 1);
  std::vector<std::string> lines = lines_of(folder_.text("known.txt"));
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[2], "VIOLATES reference short MINE-01 # fixed") << "a part of a run cannot know";
  EXPECT_TRUE(lines[5].starts_with("VIOLATES reference longer MINE-01 says=")) << lines[5];

  const Finished whole = run({"--expect", path, "--write-expect", path});
  EXPECT_EQ(whole.code, 1) << "one entry was stale";
  lines.erase(lines.begin() + 2);
  EXPECT_EQ(lines_of(folder_.text("known.txt")), lines);
  EXPECT_EQ(run({"--expect", path}).code, 0);

  EXPECT_EQ(run({"--write-expect", path}, false).code, 0) << "the rules are gone";
  EXPECT_EQ(folder_.text("known.txt"), "# ours\r\n\nVIOLATES ccr x y\n");
}

TEST_F(Expect, NewFileStartsWithTheExpectations) {
  const std::string text = "# ours\n" + kLong + "\n";
  EXPECT_EQ(expecting(text, {"--write-expect", folder_.at("new.txt")}).code, 1);
  EXPECT_TRUE(folder_.text("new.txt").starts_with(text + "VIOLATES reference longer MINE-01 says="));
  EXPECT_EQ(folder_.text("known.txt"), text);
  EXPECT_EQ(expecting("VIOLATES * * MINE-01\n", {"--write-expect", folder_.at("new.txt")}).code, 0);
  EXPECT_TRUE(folder_.text("new.txt").starts_with(text + "VIOLATES reference longer MINE-01 says="))
      << "it says something";
}

TEST_F(Expect, MistakesAreReportedBeforeTheRun) {
  const std::string broken = known("# fine\nVIOLATES reference long\n");
  const std::string none = folder_.at("none/known.txt");
  const std::string report = folder_.at("report");
  for (const auto& [arguments, says] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--expect", broken}, broken + ":2: lacks its obligation; write VIOLATES TARGET-GLOB "},
           {{"--write-expect", broken}, broken + ":2: lacks its obligation"},
           {{"--expect", none}, none + ": cannot be read"},
           {{"--write-expect", none},
            none + ": cannot be written: No such file or directory; pass --write-expect a path"},
           {{"--expect", folder_.at("")}, "is a folder"},
           {{"--write-expect", folder_.at("")}, "cannot be written"},
           {{"--expect", ""}, "--expect: a path is missing"},
           {{"--write-expect="}, "--write-expect"},
           {{"--expetc", "x"}, "did you mean --expect?"},
           {{"--expect", broken, "--report", "jsonl:" + broken}, "a report would overwrite it"},
           {{"--write-expect", broken, "--report", "junit:" + folder_.at("rules/../known.txt")},
            "a report would overwrite it"}}) {
    SCOPED_TRACE(testing::PrintToString(arguments));
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.code, 2);
    EXPECT_EQ(finished.out, "");
    EXPECT_NE(finished.err.find(says), std::string::npos) << finished.err;
    EXPECT_EQ(folder_.text("known.txt"), "# fine\nVIOLATES reference long\n");
  }
}

TEST_F(Expect, FileThatCouldNotBeWrittenIsPartOfTheVerdict) {
  const Finished full = expecting("VIOLATES * * MINE-01\n", {"--write-expect", "/dev/full"});
  EXPECT_EQ(full.code, 2);
  EXPECT_TRUE(last_line(full.out).starts_with("splitproof: VIOLATES  ")) << full.out;
  EXPECT_TRUE(last_line(full.out).ends_with(", 1 file not written")) << full.out;
}

TEST_F(Expect, UnreadableRecordingMakesNoExpectationStale) {
  folder_.put("corpus/broken.rec.jsonl", "{\"a\"\n");
  const std::string text = "VIOLATES * * MINE-01\nVIOLATES reference broken MINE-01\n";
  const Finished finished = expecting(text, {"--write-expect", folder_.at("known.txt")});
  EXPECT_EQ(finished.code, 2);
  EXPECT_TRUE(last_line(finished.out).ends_with(" 2 advisory, 1 recording unreadable")) << finished.out;
  EXPECT_EQ(folder_.text("known.txt"), text);
}

TEST_F(Expect, NothingIsWrittenOfARunThatHasNoEnd) {
  const std::string text = "VIOLATES reference short MINE-01\n";
  const std::string path = known(text);
  EXPECT_EQ(run({"--only", "zzz", "--write-expect", path}).code, 5);
  EXPECT_EQ(folder_.text("known.txt"), text);
  for (int i = 0; i < 400; ++i)
    folder_.put("corpus/" + std::to_string(i) + ".rec.jsonl", recording(std::string(400, 'x')));
  const Finished finished =
      splitproof_on_terminal({"run", "--corpus", folder_.at("corpus"), "--sweep", "--splits", "1000",
                              "--jobs", "1", "--write-expect", path},
                             "/403 recordings", SIGINT);
  EXPECT_EQ(finished.code, 128 + SIGINT) << finished.err;
  EXPECT_EQ(folder_.text("known.txt"), text);
}

}  // namespace
}  // namespace splitproof::cli::expect_test
