// Tests that a run stays the same after it is written and read back.
#include "harness/results/written.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <utility>

#include "harness/report/console.hpp"
#include "harness/report/formats.hpp"
#include "harness/report/jsonl.hpp"
#include "harness/report/summary.hpp"
#include "tests/harness/results/any_run.hpp"

namespace splitproof::results::written_test {
namespace {

constexpr std::uint64_t kSeed = 20261128;

std::string written(const RunResult& run) {
  return report::jsonl_report(run.recordings, run.header, report::summarise(run), run.complete);
}

TEST(Written, IsReadBackAsItWas) {
  AnyRun any(kSeed);
  std::size_t rows = 0;
  for (int n = 0; n < 1000; ++n) {
    const RunResult run = any.run();
    const auto read = read_run(written(run), "report");
    ASSERT_TRUE(read) << describe(read.error());
    ASSERT_TRUE(*read == run) << "run " << n << " of seed " << kSeed;
    for (const RecordingResult& result : run.recordings) rows += result.rows.size();
  }
  std::cout << "seed " << kSeed << ": " << rows << " rows\n";
}

TEST(Written, SharedContextChangesNoReport) {
  AnyRun any(kSeed + 5);
  SharedContext shared;
  for (int n = 0; n < 100; ++n) {
    const RunResult run = any.run();
    const std::string text = written(run);
    for (const char* again : {"first", "again"}) {
      const auto read = read_run(text, "report", &shared);
      ASSERT_TRUE(read) << describe(read.error());
      ASSERT_TRUE(*read == run) << "run " << n << ", " << again;
    }
  }
}

TEST(Written, ReportsOfAReadRunAreEqual) {
  AnyRun any(kSeed + 1);
  for (int n = 0; n < 300; ++n) {
    const RunResult run = any.run();
    const RunResult read = read_run(written(run), "report").value();
    const report::Summary one = report::summarise(run);
    const report::Summary other = report::summarise(read);
    EXPECT_EQ(report::console_report(read.recordings, read.header, other, {}),
              report::console_report(run.recordings, run.header, one, {}));
    for (const report::Format& format : report::formats())
      EXPECT_EQ(format.write(read.recordings, read.header, other, true),
                format.write(run.recordings, run.header, one, true))
          << format.name;
  }
}

TEST(Written, OldNamesAreRead) {
  AnyRun any(kSeed + 4);
  std::size_t old_names = 0;
  for (int n = 0; n < 100; ++n) {
    const RunResult run = any.run();
    std::string text = written(run);
    for (const auto& [name, old] : {std::pair{"\"throughput\":{", "\"bears\":{"},
                                    {"\"throughput\":[", "\"bears\":["},
                                    {"\"notes\":[", "\"remarks\":["}}) {
      for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
        text.replace(at, std::string(name).size(), old);
        ++old_names;
      }
    }
    const auto read = read_run(text, "report");
    ASSERT_TRUE(read) << describe(read.error());
    EXPECT_TRUE(*read == run) << "run " << n;
  }
  EXPECT_GT(old_names, 50U);
}

TEST(Written, BrokenOffAtAnyByteIsReadAsBrokenOffOrRefused) {
  const std::string text = written(AnyRun(kSeed + 2).run());
  std::size_t broken_off = 0;
  for (std::size_t size = 1; size + 1 < text.size(); ++size) {
    const auto read = read_run(std::string_view(text).substr(0, size), "report");
    if (!read) continue;
    EXPECT_FALSE(read->complete) << size;
    ++broken_off;
  }
  EXPECT_GT(broken_off, 2U);
}

TEST(Written, InvalidReportIsRefusedWithItsLine) {
  const std::string good = written(AnyRun(kSeed + 3).run());
  const auto says = [](const std::string& text) {
    const auto read = read_run(text, "old");
    return read ? std::string() : describe(read.error());
  };
  const std::string hint = "; name a file that --report jsonl:PATH wrote";
  EXPECT_EQ(says(""), "old: the file is empty" + hint);
  EXPECT_EQ(says("<xml/>\n"), "old:1: this is not a report of splitproof run" + hint);
  EXPECT_EQ(says("{\"splitproof\":\"0.1\"}\n"),
            "old:1: the line is incomplete; the report was written by an older version: run it again");
  EXPECT_EQ(says("{\"splitproof\":\"0.1\",\"run\":{\"seed\":-1}}\n"),
            "old:1: the line cannot be read at /seed; run it again");
  EXPECT_TRUE(says(good + good).ends_with("this is not a report of splitproof run" + hint));
}

// Returns a run with a violation, its behaviour and a note on its cause.
RunResult violating_run() {
  RunResult run;
  run.header.rules = {{"R-1", {"R-1", contract::Level::must, "says", "title"}}};
  run.header.targets = {"one"};
  run.header.plan.shards = 2;
  run.header.shards = {1};
  RecordingResult& result = run.recordings.emplace_back();
  result.target = "one";
  result.recording.id = "a";
  result.cases = 3;
  Row row{"R-1", contract::Level::must, contract::Verdict::violated, "", 3, 1};
  row.first.emplace();
  row.first->upstream = {"data: 1\n\n", {4}};
  result.rows.push_back(row);
  Behaviour& behaviour = result.behaviours.emplace_back();
  behaviour.upstream = {"data: 2\n\n", {5}};
  behaviour.cases = 1;
  behaviour.symptoms.emplace_back().rule = "R-1";
  Behaviour& good = result.behaviours.emplace_back();  // keeps no body
  good.upstream.cuts = {7, 8};
  good.cases = 2;
  run.causes.push_back({"one", "R-1", {}, Smallest{1, 2, {"data: 3\n\n", {6}}}, "a"});
  return run;
}

// Replaces one text in a report, and returns the line of the error and what is wrong.
std::string says_of_changed(const std::string& from, const std::string& to) {
  std::string text = written(violating_run());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " in " << text;
  if (at == std::string::npos) return "";
  const std::string line =
      std::to_string(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n') + 1);
  text.replace(at, from.size(), to);
  const auto read = read_run(text, "report");
  if (read) return "";
  EXPECT_EQ(read.error().file, "report");
  return (std::to_string(read.error().line) == line ? "" : "another line: ") + read.error().what;
}

TEST(Written, ReportOfAViolationIsReadBack) {
  const RunResult run = violating_run();
  const auto read = read_run(written(run), "report");
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_TRUE(*read == run);
}

TEST(Written, ViolationWithoutItsCaseIsRefused) {
  for (const char* verdict : {"violated", "passed on"}) {
    std::string text = written(violating_run());
    const std::size_t row = text.find("\"row\":{\"first\":");
    ASSERT_NE(row, std::string::npos) << text;
    text.replace(row, std::string("\"row\":{\"first\"").size(), "\"row\":{\"lost\"");
    const std::string told = "\"verdict\":\"violated\"";
    text.replace(text.find(told), told.size(), std::string("\"verdict\":\"") + verdict + "\"");
    const auto read = read_run(text, "report");
    ASSERT_FALSE(read) << verdict;
    EXPECT_EQ(read.error().what, "the row of R-1 has a violation and no case that shows it");
    EXPECT_EQ(
        read.error().line,
        static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<long>(row), '\n') + 1));
  }
}

TEST(Written, NamesWithoutTheirLinesAreRefused) {
  EXPECT_EQ(says_of_changed("\"rule\":\"R-1\",\"smallest\"", "\"rule\":\"R-2\",\"smallest\""),
            "the cause R-2 of the target one has no row");
  EXPECT_EQ(says_of_changed("\"symptoms\":[{\"rule\":\"R-1\"", "\"symptoms\":[{\"rule\":\"R-2\""),
            "the result names the rule R-2, which has no line");
}

TEST(Written, ReportThatLostLinesIsRefused) {
  EXPECT_EQ(says_of_changed("\"recordings\":1,\"cases\":3", "\"recordings\":1,\"cases\":4"),
            "the last line counts 4 in 'cases', and the results before it have 3");
  const std::string text = written(violating_run());
  const auto without = [&](const std::string& first, const std::string& end) {
    const std::size_t at = text.find(first);
    const std::size_t next = text.find(end, at);
    EXPECT_LT(at, next);
    const auto read = read_run(text.substr(0, at) + text.substr(next), "report");
    return read ? std::string() : read.error().what;
  };
  EXPECT_EQ(without("{\"target\":\"one\",\"recording\":\"a\"", "{\"cause\""),
            "the last line counts 1 in 'findings', and the results before it have 0");
  EXPECT_EQ(without("{\"result\":", "{\"cause\""),
            "the last line counts 3 in 'cases', and the results before it have 0");
}

TEST(Written, CutsOutsideOfTheBodyAreRefused) {
  for (const char* cut : {"[4]", "[5]", "[6]"}) {
    for (const char* other : {"[4,99]", "[4,3]"})
      EXPECT_EQ(says_of_changed(std::string("\"cuts\":") + cut, std::string("\"cuts\":") + other),
                "a cut of the upstream's body is not within the body");
  }
}

}  // namespace
}  // namespace splitproof::results::written_test
