// Properties of a first run: it ends in time, tries the most useful cases first, and its reports grow.

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::first_run_test {
namespace {

using nlohmann::json;

json last_object(const Folder& folder, const std::string& name) {
  return json::parse(last_line(folder.text(name)));
}

TEST(FirstRun, QuickTriesLittleOfEverything) {
  const Folder folder;
  const Finished quick = splitproof({"run", "--quick", "--report", "jsonl:" + folder.at("quick.jsonl")});
  EXPECT_EQ(quick.code, 0) << quick.err;
  EXPECT_TRUE(last_line(quick.out).starts_with("splitproof: CONFORMS  ")) << quick.out;
  EXPECT_NE(quick.out.find("\nselection      quick: the cases that find most; seed 1, profile default\n"),
            std::string::npos)
      << quick.out;
  const json end = last_object(folder, "quick.jsonl");
  EXPECT_EQ(end["quick"], true);
  EXPECT_GT(end["recordings"], 200);
  EXPECT_LT(end["cases"], 6 * end["recordings"].get<int>());
  const Finished again = splitproof({"run", "--quick", "--for", "1h"});
  EXPECT_EQ(last_line(again.out), last_line(quick.out)) << "the same cases, in time";
}

TEST(FirstRun, EndsInTimeAndReportsItsProgress) {
  const Folder folder;
  const Finished run =
      splitproof({"run", "--faults", "--for", "1s", "--report", "jsonl:" + folder.at("part.jsonl")});
  if (run.code == 5) {  // a very slow machine
    EXPECT_NE(run.err.find("ended before the first case"), std::string::npos) << run.err;
    return;
  }
  const json end = last_object(folder, "part.jsonl");
  EXPECT_EQ(end["stopped_after"], "1s");
  EXPECT_GT(end["planned"], 1000000);
  EXPECT_LT(end["cases"], end["planned"]);
  EXPECT_NE(last_line(run.out).find(", stopped after 1s: "), std::string::npos) << run.out;
  if (end["unreached"] == 0) {
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_TRUE(last_line(run.out).starts_with("splitproof: CONFORMS SO FAR  ")) << run.out;
  } else {  // a slow machine
    EXPECT_EQ(run.code, 1) << run.err;
  }
}

TEST(FirstRun, FindsWithinItsTimeWhatEveryRecordingShows) {
  const Finished run = splitproof({"run", "--quick", "--for", "1h", "--target", "mutant:start-per-name"});
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.out.find("ANT-05"), std::string::npos) << run.out;
}

TEST(FirstRun, TimesThatAreNone) {
  for (const std::string time :
       {"", "10", "0s", "-1s", "1.5h", "10 m", "m", "1d", "169h", "99999999999999h"}) {
    const Finished run = splitproof({"run", "--for", time});
    EXPECT_EQ(run.code, 2) << time;
    EXPECT_NE(run.err.find("write 30s, 10m or 1h"), std::string::npos) << run.err;
  }
}

TEST(FirstRun, ReportGrowsWhileTheRunGoesOn) {
  const Folder folder;
  const std::string report = folder.put("growing.jsonl", "of another run\n");
  // Killed once the terminal shows something, so it cannot clean up.
  const Finished killed = splitproof_on_terminal(
      {"run", "--faults", "--jobs", "1", "--report", "jsonl:" + report}, "20/", SIGKILL);
  EXPECT_EQ(killed.code, 128 + SIGKILL);
  EXPECT_EQ(folder.text("growing.jsonl"), "of another run\n");
  EXPECT_TRUE(folder.text("growing.jsonl.part").ends_with('\n'));
  std::vector<std::string> lines = lines_of(folder.text("growing.jsonl.part"));
  ASSERT_GT(lines.size(), 20U);
  EXPECT_TRUE(json::parse(lines.front()).contains("contracts")) << lines.front();
  std::set<std::string> recordings;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const json row = json::parse(lines[i]);
    if (row.contains("verdict")) recordings.insert(row.at("recording"));
  }
  EXPECT_TRUE(json::parse(lines.back()).contains("saved")) << "after the lines of each recording";
  EXPECT_GE(recordings.size(), 20U);
  const Finished whole =
      splitproof({"run", "--only", "openai.chat/text-plain", "--report", "jsonl:" + report});
  EXPECT_EQ(whole.code, 0) << whole.err;
  EXPECT_EQ(last_object(folder, "growing.jsonl")["verdict"], "CONFORMS");
  EXPECT_FALSE(std::filesystem::exists(report + ".part"));
}

TEST(FirstRun, PartialReportMayNotOverwriteAnotherFile) {
  const Folder folder;
  const std::string known = folder.put("known.part", "# by hand\n");
  const std::string report = "jsonl:" + folder.at("known");
  EXPECT_EQ(splitproof({"run", "--expect", known, "--report", report}).code, 2);
  EXPECT_EQ(splitproof({"run", "--report", report, "--report", "md:" + known}).code, 2);
  EXPECT_EQ(splitproof({"run", "--report", "md:" + known, "--report", report}).code, 2);
  EXPECT_EQ(folder.text("known.part"), "# by hand\n");
}

TEST(FirstRun, ReportIsAFileAndNoDash) {
  const Finished finished = splitproof({"run", "--report", "jsonl:-"});
  EXPECT_EQ(finished.code, 2);
  EXPECT_EQ(
      finished.err,
      "splitproof: --report jsonl:- does not name a file; write jsonl:/dev/stdout, or ./- if the file's name is -\n");
}

}  // namespace
}  // namespace splitproof::cli::first_run_test
