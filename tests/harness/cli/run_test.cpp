#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::run_test {
namespace {

namespace fs = std::filesystem;

std::string after_first_line(const std::string& text) { return text.substr(text.find('\n')); }
using nlohmann::json;

// A rule that the reference violates on most recordings: no text delta longer than five characters.
constexpr const char* kTerse = R"(contract: anthropic.messages.downstream
version: 1
events:
  words: {/delta/type: text_delta}
obligations:
  - id: MINE-01
    level: LEVEL
    says: No text delta is longer than five characters.
    why: Our display has five columns.
    seen: []
    each: words
    where: {/delta/text: {matches: '.{0,5}'}}
    falsifiers: [{file: long.sse, trips: [MINE-01], control: short.sse}]
)";

std::string terse_contract(const Folder& folder, const std::string& level) {
  std::string text = kTerse;
  folder.put("rules/mine.yaml", text.replace(text.find("LEVEL"), 5, level));
  return folder.at("rules");
}

std::string corpus_file(const std::string& id) {
  return (source_root() / "corpus" / (id + ".rec.jsonl")).string();
}

TEST(Run, LastLineIsTheVerdictAndTheCodeAgrees) {
  const Finished finished = splitproof({"run", "--only", "openai.chat/text-*"});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_EQ(finished.err, "");
  EXPECT_TRUE(last_line(finished.out).starts_with("splitproof: CONFORMS  ")) << finished.out;
  EXPECT_EQ(finished.out.find('\033'), std::string::npos) << "colour where there is no terminal";
}

TEST(Run, AdviceThatDecidesIsReproducedAsSuch) {
  const Folder folder;
  const std::string rules = terse_contract(folder, "should");
  const std::vector<std::string> one{"--contracts", rules, "--only", "openai.chat/text-plain"};
  std::vector<std::string> run{"run", "--strict"};
  run.insert(run.end(), one.begin(), one.end());
  const Finished strict = splitproof(run);
  EXPECT_EQ(strict.code, 1);
  EXPECT_NE(strict.out.find(" --strict"), std::string::npos) << strict.out;
  EXPECT_EQ(splitproof({"replay", "openai.chat/text-plain", "--contracts", rules, "--strict"}).code, 1);
  EXPECT_EQ(splitproof({"replay", "openai.chat/text-plain", "--contracts", rules}).code, 0);
}

TEST(Run, ReportThatCannotBeWrittenIsPartOfTheVerdict) {
  const Finished full =
      splitproof({"run", "--only", "openai.chat/text-plain", "--report", "jsonl:/dev/full"});
  EXPECT_EQ(full.code, 2);
  EXPECT_TRUE(last_line(full.out).starts_with("splitproof: VIOLATES  ")) << full.out;
  EXPECT_TRUE(last_line(full.out).ends_with(", 1 file not written")) << full.out;
  const Folder folder;
  const std::string path = folder.put("report", "an older one");
  const Finished twice = splitproof({"run", "--report", "jsonl:" + path, "--report", "junit:" + path});
  EXPECT_EQ(twice.code, 2);
  EXPECT_EQ(folder.text("report"), "an older one") << "a run that did not begin takes nothing away";
}

// Files and sockets that open next get the closed descriptors: reports, and supervisors.
TEST(Run, FailsIfStandardOutputIsClosedOrFull) {
  const Folder folder;
  const std::string target =
      folder.put("target.yaml",
                 "target: passes\nkind: pipe\nclient: openai.chat\nupstream: openai.chat\n"
                 "command: [splitproof, list, recordings]\n");
  for (const std::string name : {"reference", target.c_str()}) {
    for (const std::string closed : {"<&- >&-", ">/dev/full", "<&- >&- 2>&-", "<&- 2>&-"}) {
      SCOPED_TRACE(name + " " + closed);
      const std::string report = folder.at("report");
      const Finished finished = run_program(
          {"/bin/sh", "-c",
           "exec \"$SPLITPROOF_PROGRAM\" run --target \"$0\" --only openai.chat/text-plain --quick --report jsonl:\"$1\" " +
               closed,
           name, report});
      const bool fails = closed.find(" >") != closed.npos || closed.starts_with(">");
      const int otherwise = name == "reference" ? 0 : 1;  // it does not answer
      EXPECT_EQ(finished.code, fails ? 3 : otherwise) << finished.err;
      if (fails && closed.find("2>") == closed.npos) {
        EXPECT_EQ(last_line(finished.err), "splitproof: writing to standard output failed");
      }
      if (name == "reference") {
        EXPECT_TRUE(folder.text("report").starts_with("{")) << "nothing else is written into it";
      }
      std::filesystem::remove(report);
    }
  }
}

TEST(Run, RecordingsForNoTargetAreCounted) {
  const Folder folder;
  folder.put("mix/one.rec.jsonl", folder.text(corpus_file("openai.chat/text-plain")));
  folder.put("mix/other.rec.jsonl",
             "{\"splitproof\":1,\"protocol\":\"openai.responses\",\"response\":{\"status\":200}}\n"
             "{\"at\":0,\"text\":\"data: {}\\n\\n\"}\n{\"at\":0,\"end\":\"complete\"}\n");
  const Finished finished = splitproof({"run", "--corpus", folder.at("mix")});
  EXPECT_EQ(finished.code, 0) << finished.err;
  EXPECT_TRUE(last_line(finished.out).ends_with(", 1 recording for no target")) << finished.out;
}

TEST(Run, TargetGivenTwiceIsRefused) {
  EXPECT_EQ(splitproof({"run", "--target", "reference", "--target", "reference"}).code, 2);
}

TEST(Run, FindingHasAReproducerThatReproducesIt) {
  const Folder folder;
  const std::string rules = terse_contract(folder, "must");
  const std::string report = folder.at("out.jsonl");
  const Finished finished =
      splitproof({"run", "--contracts", rules, "--only", "openai.chat/text-*", "--report", "jsonl:" + report,
                  "--report", "junit:" + folder.at("out.xml")});
  EXPECT_EQ(finished.code, 1) << finished.err;
  EXPECT_NE(finished.out.find("[MINE-01, must]"), std::string::npos) << finished.out;
  EXPECT_TRUE(last_line(finished.out).starts_with("splitproof: VIOLATES  ")) << finished.out;

  std::string command;
  for (const std::string& line : lines_of(finished.out)) {
    const std::string head = "  reproduce ";
    if (line.starts_with(head + "splitproof replay ")) command = line.substr(head.size());
  }
  ASSERT_NE(command, "");
  const std::string path =
      "PATH=" + fs::path(std::getenv("SPLITPROOF_PROGRAM")).parent_path().string() + ":/usr/bin:/bin";
  const Finished again = run_program({"/bin/sh", "-c", command}, {"", {}, {path}});
  EXPECT_EQ(again.code, 1) << again.err;
  EXPECT_NE(again.out.find("MINE-01 must: "), std::string::npos) << again.out;
  EXPECT_TRUE(last_line(again.out).starts_with("splitproof: VIOLATES  1 recording, 1 case, ")) << again.out;

  std::size_t violated = 0;
  for (const std::string& line : lines_of(folder.text("out.jsonl"))) {
    const json row = json::parse(line);
    if (row.value("verdict", "") != "violated") continue;
    ++violated;
    EXPECT_EQ(row["obligation"], "MINE-01");
    EXPECT_EQ(row["expected"], false);
    EXPECT_GE(row["violating"], 1);
    EXPECT_LE(row["violating"], row["cases"]);
    EXPECT_TRUE(row["first"]["case"].get<std::string>().starts_with(row["recording"].get<std::string>() +
                                                                    "?client="));
  }
  EXPECT_GE(violated, 2u);
  EXPECT_NE(folder.text("out.xml").find("<failure message="), std::string::npos);
}

// Otherwise a profile for another upstream would silently be tried on Chat Completions.
TEST(Run, ReferenceSpeaksTheProtocolsOfTheProfile) {
  const Folder folder;
  const std::string own = folder.put("own.yaml", "profile: own\nextends: kiro-go\n");
  for (const std::string& profile : {std::string("kiro-go"), own}) {
    const Finished run =
        splitproof({"run", "--quick", "--profile", profile, "--only", "kiro.eventstream/markup-t*"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.out.find("\ntargets        reference:kiro.eventstream\n"), std::string::npos) << run.out;
  }
  const Finished asked = splitproof({"run", "--quick", "--profile", "kiro-go", "--upstream", "openai.chat",
                                     "--only", "openai.chat/text-plain"});
  EXPECT_EQ(asked.code, 0) << asked.err;
  EXPECT_NE(asked.out.find("\ntargets        reference\n"), std::string::npos) << asked.out;
}

TEST(Run, SmallestStreamOfACauseIsShown) {
  const std::string one = "openai.chat/tool-id-late-alone?client=anthropic.messages&gen=whole";
  const std::string mutant = "mutant:gate-in-function-block";
  const Finished run = splitproof({"run", "--target", mutant, "--only", one});
  EXPECT_EQ(run.code, 1) << run.err;
  const Finished shrunk = splitproof({"shrink", one, "--target", mutant, "--rule", "TOOL-04"});
  EXPECT_EQ(shrunk.code, 0) << shrunk.err;
  const std::string to = "\nto    ";
  const std::size_t found = shrunk.out.find(to);
  ASSERT_NE(found, std::string::npos) << shrunk.out;
  const std::string events = shrunk.out.substr(found + to.size(), 1);
  EXPECT_NE(run.out.find("\n  smallest  " + events + " of 9 events, no cut\n            data: {"),
            std::string::npos)
      << run.out << shrunk.out;
  EXPECT_NE(
      run.out.find("\n  shrink    splitproof shrink '" + one + "' --target " + mutant + " --rule TOOL-04\n"),
      std::string::npos)
      << run.out;
  const Finished all = splitproof({"run", "--all", "--target", mutant, "--only", one});
  EXPECT_EQ(all.out.find("smallest"), std::string::npos) << "rule by rule there are no causes to tell it of";
}

TEST(Run, AdviceDecidesOnlyWhenStrict) {
  const Folder folder;
  const std::string rules = terse_contract(folder, "should");
  const std::vector<std::string> lenient{"run", "--contracts", rules, "--only", "openai.chat/text-plain"};
  const Finished advice = splitproof(lenient);
  EXPECT_EQ(advice.code, 0);
  EXPECT_NE(last_line(advice.out).find("0 findings, 1 advisory"), std::string::npos) << advice.out;
  auto strict = lenient;
  strict.push_back("--strict");
  EXPECT_EQ(splitproof(strict).code, 1);
}

TEST(Run, ResultsDoNotDependOnThreadsOrWorkingDirectory) {
  const Folder folder;
  const std::string rules = terse_contract(folder, "must");
  const auto run = [&](const std::string& jobs, const std::string& report, const fs::path& at,
                       bool fail_fast) {
    std::vector<std::string> arguments{"run",
                                       "--contracts",
                                       rules,
                                       "--only",
                                       "openai.chat/text-*",
                                       "--splits",
                                       "4",
                                       "--jobs",
                                       jobs,
                                       "--report",
                                       "jsonl:" + folder.at(report),
                                       "--report",
                                       "md:" + folder.at(report + ".md")};
    if (fail_fast) arguments.push_back("--fail-fast");
    return splitproof(arguments, {"", at, {}});
  };
  for (const bool fail_fast : {false, true}) {
    SCOPED_TRACE(fail_fast);
    const Finished one = run("1", "one", {}, fail_fast);
    const Finished many = run("7", "many", "/tmp", fail_fast);
    EXPECT_EQ(one.code, 1);
    EXPECT_EQ(many.code, 1);
    EXPECT_EQ(without_times(one.out), without_times(many.out));
    const std::string many_told = folder.text("many");
    // The first line has the time.
    EXPECT_EQ(after_first_line(folder.text("one")),
              after_first_line(std::regex_replace(many_told, std::regex(" --jobs 7"), " --jobs 1")));
    EXPECT_EQ(without_times(folder.text("one.md")), without_times(folder.text("many.md")));
    EXPECT_TRUE(folder.text("one.md").starts_with("# Scorecard of splitproof "));
    EXPECT_NE(folder.text("one.md").find("\n```sh\nsplitproof replay "), std::string::npos);
    EXPECT_TRUE(json::parse(last_line(folder.text("one"))).contains("findings")) << "the footer";
  }
}

TEST(Run, BrokenRecordingIsReportedAndTheRestRuns) {
  const Folder folder;
  fs::create_directories(folder.at("c"));
  fs::copy_file(corpus_file("openai.chat/text-plain"), folder.at("c/good.rec.jsonl"));
  const std::string broken =
      folder.put("c/bad.rec.jsonl",
                 "{\"splitproof\":1,\"protocol\":\"openai.chat\",\"response\":{\"status\":200}}\n{\"at\":\n");
  const std::string cut = folder.put(
      "c/cut.rec.jsonl", "{\"splitproof\":1,\"protocol\":\"openai.chat\",\"response\":{\"status\":200}}\n");
  const Finished finished = splitproof({"run", "--corpus", folder.at("c")});
  EXPECT_EQ(finished.code, 2);
  EXPECT_TRUE(finished.err.starts_with("splitproof: " + broken + ":2: ")) << finished.err;
  EXPECT_NE(finished.err.find("warning: " + cut + ": "), std::string::npos) << finished.err;
  EXPECT_TRUE(last_line(finished.out).starts_with("splitproof: VIOLATES  2 recordings, ")) << finished.out;
  EXPECT_NE(last_line(finished.out).find("1 recording unreadable"), std::string::npos) << finished.out;
}

TEST(Run, InterruptedItLeavesAReportWithoutFooter) {
  const Folder folder;
  fs::create_directories(folder.at("c"));
  // Far more cases than run between the end of the first recording and the signal.
  for (int i = 0; i < 400; ++i)
    fs::copy_file(corpus_file("openai.chat/text-plain"), folder.at("c/" + std::to_string(i) + ".rec.jsonl"));
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    SCOPED_TRACE(signal);
    const Finished finished =
        splitproof_on_terminal({"run", "--corpus", folder.at("c"), "--sweep", "--splits", "1000", "--jobs",
                                "1", "--report", "jsonl:" + folder.at("r")},
                               "1/400 recordings", signal);
    EXPECT_EQ(finished.code, 128 + signal) << finished.err;
    EXPECT_TRUE(finished.out.starts_with("INTERRUPTED: ")) << finished.out;
    EXPECT_EQ(finished.out.find("CONFORMS"), std::string::npos) << finished.out;
    EXPECT_EQ(finished.out.find("VIOLATES"), std::string::npos) << "there is no verdict on part of a run";
    EXPECT_NE(finished.err.find("splitproof: interrupted after "), std::string::npos) << finished.err;
    const auto lines = lines_of(folder.text("r"));
    ASSERT_GE(lines.size(), 2u);
    EXPECT_TRUE(json::parse(lines.front()).contains("seed"));
    EXPECT_TRUE(json::parse(lines.back()).contains("obligation")) << "the footer is there";
  }
}

TEST(Run, InterruptedRunPrintsItsFindings) {
  const Folder folder;
  const std::string rules = terse_contract(folder, "must");
  fs::create_directories(folder.at("c"));
  for (int i = 0; i < 400; ++i)
    fs::copy_file(corpus_file("openai.chat/text-plain"), folder.at("c/" + std::to_string(i) + ".rec.jsonl"));
  const Finished finished =
      splitproof_on_terminal({"run", "--corpus", folder.at("c"), "--contracts", rules, "--sweep", "--splits",
                              "1000", "--jobs", "1", "--write-expect", folder.at("known.txt")},
                             "1/400 recordings", SIGTERM);
  EXPECT_EQ(finished.code, 128 + SIGTERM) << finished.err;
  EXPECT_NE(finished.out.find("[MINE-01, must]"), std::string::npos) << finished.out;
  EXPECT_NE(finished.out.find("\n  reproduce splitproof replay "), std::string::npos) << finished.out;
  EXPECT_EQ(finished.out.find("splitproof: "), std::string::npos) << finished.out;
  EXPECT_FALSE(fs::exists(folder.at("known.txt"))) << "it would say that nothing is known to fail";
}

}  // namespace
}  // namespace splitproof::cli::run_test
