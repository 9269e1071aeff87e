#include "harness/results/expectation.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <optional>

#include "harness/campaign/campaign.hpp"

namespace splitproof::results::expectation_test {
namespace {

using contract::Verdict;

std::vector<Expectation> entries(const std::string& text) {
  const Result<ExpectationFile> file = parse_expectations(text, "known.txt");
  EXPECT_TRUE(file) << (file ? "" : describe(file.error()));
  return file ? file->entries : std::vector<Expectation>();
}

TEST(ParseExpectations, EntriesAndCommentsInTheirOrder) {
  const Result<ExpectationFile> file = parse_expectations(
      "# known\n"
      "\n"
      "VIOLATES ccr openai.chat/* ANT-05 # https://example.com/1#here\n"
      " \t \n"
      "\tVIOLATES  *\ta#b\tMETA-0[34]\t#told them  \r\n"
      "   # indented\n"
      "VIOLATES mutant:x a\\ b\\\\ \\# #\n"
      "VIOLATES a b c",
      "known.txt");
  ASSERT_TRUE(file) << describe(file.error());
  EXPECT_EQ(file->lines.size(), 8U);
  EXPECT_EQ(file->lines[4], "\tVIOLATES  *\ta#b\tMETA-0[34]\t#told them  \r") << "as it was written";
  EXPECT_EQ(file->entries,
            (std::vector<Expectation>{
                {"ccr", "openai.chat/*", "ANT-05", "https://example.com/1#here", "known.txt", 3},
                {"*", "a#b", "META-0[34]", "told them", "known.txt", 5},
                {"mutant:x", "a\\ b\\\\", "\\#", "", "known.txt", 7},
                {"a", "b", "c", "", "known.txt", 8},
            }));
  EXPECT_EQ(line_of(file->entries[0]), "VIOLATES ccr openai.chat/* ANT-05 # https://example.com/1#here");
  EXPECT_EQ(line_of(file->entries[3]), "VIOLATES a b c");
}

TEST(ParseExpectations, NothingIsAFileToo) {
  for (const char* text : {"", "\n", "# only this", "\r\n\r\n"}) EXPECT_TRUE(entries(text).empty()) << text;
}

TEST(ParseExpectations, OtherTextIsRefusedWithItsLine) {
  struct Broken {
    std::string line;
    std::string says;
  };
  for (const Broken& broken : std::vector<Broken>{
           {"violates a b c", "'violates' is not the beginning of an expectation"},
           {"ANT-05", "'ANT-05' is not the beginning of an expectation"},
           {"VIOLATES: a b c", "'VIOLATES:' is not the beginning of an expectation"},
           {"VIOLATES", "lacks its target"},
           {"VIOLATES # a b c", "lacks its target"},
           {"VIOLATES a", "lacks its recording"},
           {"VIOLATES a b", "lacks its obligation"},
           {"VIOLATES a b # c", "lacks its obligation"},
           {"VIOLATES a b\\ c", "lacks its obligation"},
           {"VIOLATES a b c d", "'d' is after the obligation"},
           {"VIOLATES a b c// why", "'why' is after the obligation"},
           {"VIOLATES a b c\\", "ends in a backslash"},
           {"VIOLATES a b c\\\r", "ends in a backslash"},
           {std::string("VIOLATES a b c\0 # d", 19), "zero byte"},
           {"VIOLATES a b \r\r", "carriage return"},
           {"VIOLATES a b c\\\r \r", "carriage return"},
           {"\xEF\xBB\xBF", "is not the beginning of an expectation"},
           {"DIES", "lacks its target"},
           {"DIES a b", "'b' is after the target"},
           {"HANGS a says=\"x\"", "is after the target"},
           {"VIOLATES a b c says=\"", "within quotes"},
           {"VIOLATES a b c says=\"x", "within quotes"},
           {"VIOLATES a b c says=\"x\\\"", "within quotes"},
           {"VIOLATES a b c says=\"\"", "'says' is empty"},
           {"VIOLATES a b c ticket=", "'ticket' is empty"},
           {"VIOLATES a b c until=", "'' is not a date"},
           {"VIOLATES a b c until=2026-02-30", "'2026-02-30' is not a date"},
           {"VIOLATES a b c until=2026-2-3", "is not a date"},
           {"VIOLATES a b c until=tomorrow", "is not a date"},
       }) {
    SCOPED_TRACE(broken.line);
    const auto file = parse_expectations("# one\nVIOLATES a b c\n" + broken.line + "\nworse\n", "known.txt");
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().file, "known.txt");
    EXPECT_EQ(file.error().line, 3U);
    EXPECT_NE(file.error().what.find(broken.says), std::string::npos) << file.error().what;
    EXPECT_NE(file.error().hint, "");
  }
}

// Returns all names up to three characters, with all characters that globs and lines use.
std::vector<std::string> names() {
  const std::string alphabet = "a*?[]!-\\# \t";
  std::vector<std::string> all{""};
  for (std::size_t i = 0; i < all.size() && all[i].size() < 3; ++i) {
    for (const char c : alphabet) all.push_back(all[i] + c);
  }
  all.erase(all.begin());
  return all;
}

TEST(GlobOf, IsOneWordAndMatchesOnlyItsName) {
  const std::vector<std::string> all = names();
  for (const std::string& name : all) {
    const std::string glob = glob_of(name);
    const auto read = entries("VIOLATES " + glob + " " + glob + " " + glob + " # r");
    ASSERT_EQ(read.size(), 1U) << name;
    EXPECT_EQ(read[0].target, glob);
    for (const std::string& other : all) {
      ASSERT_EQ(fits(read[0], other, name, name), other == name) << "'" << name << "' and '" << other << "'";
    }
  }
}

TEST(GlobOf, LineEndFitsAnyCharacter) {
  const auto read = entries("VIOLATES " + glob_of("a\nb\rc") + " r o");
  ASSERT_EQ(read.size(), 1U);
  EXPECT_TRUE(fits(read[0], "a\nb\rc", "r", "o"));
}

TEST(Expectation, MatchesIfAllThreeGlobsMatch) {
  const Expectation all{"c*", "openai.chat/*", "ANT-0[58]", "", "", 1};
  EXPECT_TRUE(fits(all, "ccr", "openai.chat/text/deep", "ANT-08"));
  EXPECT_FALSE(fits(all, "reference", "openai.chat/text", "ANT-08"));
  EXPECT_FALSE(fits(all, "ccr", "openai.responses/text", "ANT-08"));
  EXPECT_FALSE(fits(all, "ccr", "openai.chat/text", "ANT-07"));
  EXPECT_FALSE(fits(all, "ccr", "openai.chat/text", "XANT-08"));
}

class Expected : public testing::Test {
 protected:
  void add(const std::string& target, const std::string& recording,
           const std::vector<std::pair<std::string, Verdict>>& rows) {
    RecordingResult& result = results.emplace_back();
    result.target = target;
    result.recording.id = recording;
    for (const auto& [id, verdict] : rows) {
      Row& row = result.rows.emplace_back();
      row.rule = id;
      row.verdict = verdict;
      if (verdict == Verdict::violated) row.first.emplace().message = "the first text is 7";
    }
  }

  // Adds a second case that violates `id`, with this message, to the latest result.
  void also(const std::string& id, const std::string& message) {
    RecordingResult& result = results.back();
    for (const Row& row : result.rows) {
      if (row.rule != id) continue;
      Symptom symptom;
      symptom.rule = row.rule;
      symptom.message = message;
      Behaviour behaviour;
      behaviour.case_id = "another";
      behaviour.symptoms = {symptom};
      result.behaviours.push_back(behaviour);
    }
  }

  // Returns the line of the entry that predicted each row, in order; 0 without one.
  std::vector<std::size_t> foretold(const std::string& text) {
    std::vector<std::size_t> all;
    for (RecordingResult& result : results) {
      apply_expectations(result, entries(text));
      for (const Row& row : result.rows) all.push_back(row.expectation ? row.expectation->line : 0);
    }
    return all;
  }

  std::vector<std::string> stale_ones(const std::string& text) const {
    std::vector<std::string> all;
    for (const StaleExpectation& gone : stale(entries(text), results)) {
      all.push_back(std::to_string(gone.expectation.line) + " " + gone.why);
    }
    return all;
  }

  std::vector<RecordingResult> results;

 private:
  std::deque<recording::Recording> recordings_;
  std::deque<contract::Obligation> obligations_;
};

TEST_F(Expected, FirstEntryThatFitsAViolationForetellsIt) {
  add("one", "a", {{"X-1", Verdict::violated}, {"X-2", Verdict::met}, {"X-3", Verdict::violated}});
  add("two", "a",
      {{"X-1", Verdict::violated}, {"X-2", Verdict::not_exercised}, {"X-3", Verdict::not_judged}});
  EXPECT_EQ(foretold("VIOLATES two * X-1\nVIOLATES * a X-[12]\nVIOLATES one a X-1\n"),
            (std::vector<std::size_t>{2, 0, 0, 1, 0, 0}));
}

TEST_F(Expected, EntryWithoutAViolationIsStale) {
  add("one", "a", {{"X-1", Verdict::violated}, {"X-2", Verdict::met}, {"X-3", Verdict::not_exercised}});
  add("one", "b", {{"X-1", Verdict::met}, {"X-2", Verdict::met}, {"X-3", Verdict::not_judged}});
  EXPECT_EQ(stale_ones("VIOLATES one a X-1\n"        // true
                       "VIOLATES * * X-1\n"          // true of one recording
                       "VIOLATES one b X-1\n"        // 3
                       "VIOLATES one * X-2\n"        // 4
                       "VIOLATES one ? X-3\n"        // 5
                       "VIOLATES one * X-[23]\n"     // 6
                       "VIOLATES one c X-1\n"        // 7
                       "VIOLATES one a X-4\n"        // 8
                       "VIOLATES two a X-1\n"        // about a target that was not run
                       "VIOLATES one a X-1 # twice"  // as true as the first
                       ),
            (std::vector<std::string>{"3 the rule was met", "4 the rule was met",
                                      "5 the rule was not exercised or not judged", "6 the rule was met",
                                      "7 no result matches it", "8 no result matches it"}));
  results.clear();
  EXPECT_TRUE(stale_ones("VIOLATES * * *").empty()) << "no target was run";
}

TEST_F(Expected, TextOfAnEntryMatchesTheBeginningOfTheMessage) {
  add("one", "a", {{"X-1", Verdict::violated}});
  EXPECT_EQ(foretold("VIOLATES one a X-1 says=\"the first text\""), std::vector<std::size_t>{1});
  EXPECT_EQ(foretold("VIOLATES one a X-1 says=\"first text\""), std::vector<std::size_t>{0});
  EXPECT_EQ(stale_ones("VIOLATES one a X-1 says=\"first text\""),
            std::vector<std::string>{"1 no violation has this beginning"});
}

TEST_F(Expected, AnotherViolationOfTheSameRuleIsNotExpected) {
  const std::string text = "VIOLATES one a X-1 says=\"the first\"\n";
  add("one", "a", {{"X-1", Verdict::violated}});
  also("X-1", "the first is 8");
  EXPECT_EQ(foretold(text), std::vector<std::size_t>{1});
  also("X-1", "the second is 8");
  EXPECT_EQ(foretold(text), std::vector<std::size_t>{0});
  const RecordingResult& result = results.back();
  EXPECT_EQ(result.rows[0].first->message, "the second is 8") << "the row is shown by what is new";
  EXPECT_EQ(result.rows[0].first->case_id, "another");
  EXPECT_TRUE(result.behaviours[0].symptoms[0].expected);
  EXPECT_FALSE(result.behaviours[1].symptoms[0].expected);
  EXPECT_TRUE(stale_ones(text).empty()) << "the other is still there";
  EXPECT_EQ(foretold(text + "VIOLATES one a X-1 says=\"the second\"\n"), std::vector<std::size_t>{2});
}

TEST_F(Expected, TargetEntryMatchesOnlyFailuresWithoutACase) {
  add("one", "a", {{"RUN-01", Verdict::violated}, {"RUN-02", Verdict::violated}});
  EXPECT_EQ(foretold("DIES one"), (std::vector<std::size_t>{0, 0})) << "a case brings it about";
  for (Row& row : results.back().rows) row.first->alone = false;
  EXPECT_EQ(foretold("DIES one\nHANGS o*\nGARBLES one"), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(foretold("DIES two"), (std::vector<std::size_t>{0, 0}));
  results.back().rows[0].verdict = Verdict::met;
  EXPECT_TRUE(stale_ones("DIES one").empty()) << "chance decides it";
}

TEST(Expectation, LineReadsAsItIsWritten) {
  for (const std::string line :
       {"VIOLATES a b c says=\"a \\\"b\\\" # \\\\ c\" until=2026-12-31 ticket=X-7 # why",
        "DIES a* until=2026-12-31", "HANGS a # why", "GARBLES a"}) {
    const auto read = entries(line);
    ASSERT_EQ(read.size(), 1U) << line;
    EXPECT_EQ(line_of(read[0]), line);
  }
  EXPECT_EQ(entries("VIOLATES a b c says=\"a \\\"b\\\" # c\"")[0].says, "a \"b\" # c");
}

TEST(Expectation, HoldsOnItsLastDay) {
  std::vector<Expectation> all =
      entries("VIOLATES a b c until=2026-11-23\nVIOLATES a b d\nDIES a until=2027-01-01");
  EXPECT_TRUE(take_expired(all, "2026-11-23").empty());
  const auto expired = take_expired(all, "2026-11-24");
  ASSERT_EQ(expired.size(), 1U);
  EXPECT_EQ(expired[0].line, 1U);
  EXPECT_EQ(all.size(), 2U);
}

TEST(Expectation, BeginningOfAMessageDependsOnNothingThatARunChooses) {
  EXPECT_EQ(beginning_of("/usage/input_tokens is absent, wanted an integer and at least 0, at event 5"),
            "/usage/input_tokens is absent, wanted an integer and at least");
  EXPECT_EQ(beginning_of("the message id is \"msg_17\" here"), "the message id is");
  EXPECT_EQ(beginning_of("the tools called are [\"a\"]"), "the tools called are");
  EXPECT_EQ(beginning_of("the call has no name: it is {}"), "the call has no name: it is");
  EXPECT_EQ(beginning_of("runs ...End"), "runs");
  EXPECT_EQ(beginning_of("\"message_delta\" follows"), "");
  EXPECT_EQ(beginning_of("whole"), "whole");
}

}  // namespace
}  // namespace splitproof::results::expectation_test
