#include "harness/report/expectation_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "constructed.hpp"
#include "harness/utf8.hpp"

namespace splitproof::report::expectation_text_test {
namespace {

using contract::Level;
using contract::Verdict;
using results::ExpectationFile;
using results::Row;

constexpr unsigned kSeeds = 200;

ExpectationFile parsed(const std::string& text) {
  const Result<ExpectationFile> file = results::parse_expectations(text, "known.txt");
  EXPECT_TRUE(file) << (file ? "" : describe(file.error())) << "\n" << text;
  return file ? *file : ExpectationFile();
}

template <class T>
const T& pick(std::mt19937& random, const std::vector<T>& from) {
  return from[random() % from.size()];
}

Constructed random_results(std::mt19937& random) {
  Constructed all;
  for (const char* target : {"one", "t w*"}) {
    for (const char* recording : {"a/b", "c[1]", "x\ny", "#"}) {
      all.recording(recording, target);
      for (const char* obligation : {"A-1", "A-2", "META-03"}) {
        all.row(
            obligation,
            pick<Verdict>(random, {Verdict::violated, Verdict::violated, Verdict::met, Verdict::not_exercised,
                                   Verdict::not_judged}),
            pick<Level>(random, {Level::must, Level::must, Level::should, Level::info}),
            pick<std::string>(random, {"wrong", "two\nlines", "\xFF\x1B[2J", "# no", std::string(300, 'x')}));
      }
    }
  }
  return all;
}

std::string random_text(std::mt19937& random) {
  std::string text;
  for (unsigned line = random() % 8; line > 0; --line) {
    text += pick<std::string>(
        random, {"# a comment\n", "\n", "VIOLATES * * *\r\n", "VIOLATES one a/* A-?  # why\n",
                 "VIOLATES t* * META-*\n", "VIOLATES one c\\[1] A-1 # x\n", "VIOLATES three a A-1\n",
                 "VIOLATES one none A-1\n"});
  }
  return text;
}

bool is_failure(const Row& row, bool strict) {
  return row.verdict == Verdict::violated && results::decides(row, strict);
}

TEST(ExpectationText, WrittenTextExpectsExactlyTheFindings) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Constructed all = random_results(random);
    const ExpectationFile before = parsed(random_text(random));
    const bool strict = seed % 2 == 0;
    const std::string text = expectation_text(before, all.results, strict, true);
    const ExpectationFile after = parsed(text);
    EXPECT_TRUE(results::stale(after.entries, all.results).empty()) << text;
    EXPECT_EQ(expectation_text(after, all.results, strict, true), text) << "written twice";
    for (results::RecordingResult& result : all.results) {
      results::apply_expectations(result, after.entries);
      for (const Row& row : result.rows) EXPECT_TRUE(!is_failure(row, strict) || row.expectation) << text;
    }
    all.heading.strict = strict;
    EXPECT_EQ(all.summary().tally.findings(), 0U);
  }
}

TEST(ExpectationText, AnyActMayShowAKnownFailureOfConnections) {
  Constructed all;
  const auto run_with = [&](const std::string& act) {
    all.results.clear();
    all.recording("a/b", "one");
    all.row("CONN-04", Verdict::violated, Level::must, "the upstream " + act + ": no answer");
    all.results.back().rows.back().first->case_id = "a/b?client=openai.chat&act=" + act;
  };
  run_with("unrequested-half");
  const ExpectationFile known = parsed(expectation_text({}, all.results, false, true));
  run_with("idle-close");
  results::apply_expectations(all.results.back(), known.entries);
  EXPECT_TRUE(all.results.back().rows.back().expectation);
}

TEST(ExpectationText, LinesStayUnlessTheyAreStale) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const Constructed all = random_results(random);
    const ExpectationFile before = parsed(random_text(random));
    std::vector<std::string> kept = before.lines;
    const std::vector<std::string> part = parsed(expectation_text(before, all.results, false, false)).lines;
    ASSERT_GE(part.size(), kept.size());
    EXPECT_TRUE(std::equal(kept.begin(), kept.end(), part.begin())) << "a part of a run takes nothing out";

    const auto gone = results::stale(before.entries, all.results);
    for (auto entry = gone.rbegin(); entry != gone.rend(); ++entry) {
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(entry->expectation.line) - 1);
    }
    const std::vector<std::string> whole = parsed(expectation_text(before, all.results, false, true)).lines;
    ASSERT_GE(whole.size(), kept.size());
    EXPECT_TRUE(std::equal(kept.begin(), kept.end(), whole.begin()));
    EXPECT_EQ(whole.size() - kept.size(), part.size() - before.lines.size()) << "both add the same";
  }
}

TEST(ExpectationText, MissingViolationMakesItsEntryStale) {
  for (unsigned seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Constructed all = random_results(random);
    const ExpectationFile known = parsed(expectation_text({}, all.results, false, true));
    std::size_t line = 0;
    for (results::RecordingResult& result : all.results) {
      for (Row& row : result.rows) {
        if (!is_failure(row, false)) continue;
        ++line;
        row.verdict = Verdict::met;
        const auto gone = results::stale(known.entries, all.results);
        ASSERT_EQ(gone.size(), 1U);
        EXPECT_EQ(gone[0].expectation.line, line);
        row.verdict = Verdict::violated;
      }
    }
    EXPECT_EQ(known.entries.size(), line) << "one for each violation that decides";
    EXPECT_EQ(known.lines.size(), line);
  }
}

TEST(ExpectationText, ReasonsAreOneShortLineOfText) {
  std::string long_one = "x";
  while (long_one.size() < 400) long_one += "\xE2\x9C\x93";
  Constructed all;
  all.recording("a").row("A-1", Verdict::violated, Level::must, "two\nlines\xFF");
  all.row("A-2", Verdict::violated, Level::must, long_one);
  const std::string text = expectation_text({}, all.results, false, true);
  EXPECT_EQ(text.substr(0, text.find('\n')), "VIOLATES reference a A-1 says=\"two\" # two\\nlines\\xff");
  EXPECT_EQ(find_ill_formed_utf8(text), std::string::npos);
  EXPECT_LT(text.size(), 250U);
  EXPECT_EQ(text.substr(text.size() - 4), "...\n");
}

}  // namespace
}  // namespace splitproof::report::expectation_text_test
