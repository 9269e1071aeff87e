// The command that reduces a failing case, tested with mutants of the reference.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::shrink_test {
namespace {

namespace fs = std::filesystem;

struct Size {
  std::size_t events = 0, bytes = 0, cuts = 0;
};

// Reads the line with this beginning: "to    2 events, 86 bytes, 1 cut, ..."
Size size_in(const std::string& out, const std::string& word) {
  for (const std::string& line : lines_of(out)) {
    if (!line.starts_with(word + " ")) continue;
    Size size;
    char unit[3][16];
    EXPECT_EQ(std::sscanf(line.c_str() + word.size(), "%zu %15[a-z], %zu %15[a-z], %zu %15[a-z]",
                          &size.events, unit[0], &size.bytes, unit[1], &size.cuts, unit[2]),
              6)
        << line;
    return size;
  }
  ADD_FAILURE() << "no line '" << word << "' in " << out;
  return {};
}

struct Row {
  std::string one;
  std::string mutant;
  std::string rule;
  std::size_t most_events;
  std::size_t cuts;
};

class Smallest : public testing::TestWithParam<Row> {};

TEST_P(Smallest, ShowsTheFailureAsARecordingOfItsOwn) {
  const Row& row = GetParam();
  const Folder folder;
  const std::string target = "mutant:" + row.mutant;
  const std::vector<std::string> command{"shrink", row.one,  "--target", target,
                                         "--rule", row.rule, "--out",    folder.at("small")};
  const Finished shrunk = splitproof(command);
  ASSERT_EQ(shrunk.code, 0) << shrunk.err;
  EXPECT_NE(shrunk.out.find("\n" + row.rule + " must: "), std::string::npos) << shrunk.out;
  const Size to = size_in(shrunk.out, "to");
  EXPECT_LE(to.events, row.most_events) << shrunk.out;
  EXPECT_EQ(to.cuts, row.cuts) << shrunk.out;
  EXPECT_EQ(splitproof(command).out, shrunk.out) << "it is the same every time";
  std::vector<std::string> for_programs = command;
  for_programs.push_back("--json");
  const nlohmann::json object = nlohmann::json::parse(splitproof(for_programs).out);
  EXPECT_EQ(object.at("obligation"), row.rule);
  EXPECT_EQ(object.at("to").at("events"), to.events);
  EXPECT_EQ(object.at("reproduce"), last_line(shrunk.out));

  // The last line is the command that replays it.
  std::string again = last_line(shrunk.out);
  ASSERT_TRUE(again.starts_with("splitproof replay '")) << again;
  const std::string id = again.substr(again.find('\'') + 1, again.rfind('\'') - again.find('\'') - 1);
  const Finished replayed = splitproof({"replay", id, "--target", target, "--corpus", folder.at("small")});
  EXPECT_EQ(replayed.code, 1);
  EXPECT_NE(replayed.out.find("\n" + row.rule + " must: "), std::string::npos) << replayed.out;

  // A run finds it without any cut of its own, and the reference has no such finding.
  const std::vector<std::string> run{"run", "--corpus", folder.at("small"), "--splits", "0", "--recuts",
                                     "0",   "--all",    "--target"};
  const auto with = [&](const std::string& name) {
    std::vector<std::string> arguments = run;
    arguments.push_back(name);
    return splitproof(arguments);
  };
  EXPECT_NE(with(target).out.find("  [" + row.rule + ", must]\n"), std::string::npos);
  EXPECT_EQ(with("reference").code, 0) << with("reference").out;

  // Nothing more can be removed.
  const Finished twice =
      splitproof({"shrink", id, "--target", target, "--rule", row.rule, "--corpus", folder.at("small")});
  ASSERT_EQ(twice.code, 0) << twice.err;
  const Size left = size_in(twice.out, "to");
  EXPECT_EQ(left.events, to.events);
  EXPECT_EQ(left.bytes, to.bytes);
  EXPECT_EQ(left.cuts, to.cuts);
}

INSTANTIATE_TEST_SUITE_P(
    Of, Smallest,
    testing::Values(
        // Only cuts cause it.
        Row{"openai.chat/text-multibyte?client=anthropic.messages&gen=bytes", "per-chunk-utf8", "ANT-20", 2,
            1},
        Row{"openai.chat/tool-plain?client=anthropic.messages&gen=bytes", "chunk-is-event", "TOOL-18", 3, 1},
        // The bytes differ from those for the same body in original chunks.
        Row{"openai.chat/tool-plain?client=anthropic.messages&gen=bytes", "chunk-is-event", "META-03", 4, 1},
        Row{"openai.chat/text-multibyte?client=anthropic.messages&gen=bytes", "per-chunk-utf8", "META-04", 2,
            1},
        // No cut is needed.
        Row{"openai.chat/tool-id-late-alone", "gate-in-function-block", "TOOL-04", 5, 0},
        Row{"openai.chat/tool-id-late-alone?client=anthropic.messages&recut=finish:fused",
            "gate-in-function-block", "TOOL-18", 3, 0},
        Row{"openai.chat/usage-cached-and-reasoning?client=anthropic.messages&gen=bytes", "cached-double",
            "USE-05", 3, 0},
        // With a recut, and with a truncated body.
        Row{"openai.chat/text-braces?client=anthropic.messages&recut=char", "equal-chunk-dedup", "ANT-20", 4,
            0},
        Row{"openai.chat/text-plain?client=anthropic.messages&fault=close@600", "fake-end_turn-on-EOF",
            "END-01", 2, 0}));

TEST(Shrink, ImpossibleShrinkIsRefusedWithAReason) {
  const Finished sound = splitproof({"shrink", "openai.chat/text-plain"});
  EXPECT_EQ(sound.code, 5);
  EXPECT_NE(sound.err.find("violates no `must`"), std::string::npos) << sound.err;
  const Finished other = splitproof({"shrink", "openai.chat/tool-id-late-alone", "--target",
                                     "mutant:gate-in-function-block", "--rule", "ANT-05"});
  EXPECT_EQ(other.code, 5);
  EXPECT_NE(other.err.find("violates no ANT-05"), std::string::npos) << other.err;
  EXPECT_EQ(splitproof({"shrink", "openai.chat/text-plain", "--rule", "NONE-1"}).code, 2);
  EXPECT_EQ(splitproof({"shrink", "openai.chat/none"}).code, 2);
  EXPECT_EQ(splitproof({"shrink", "openai.chat/text-plain", "--only", "nothing"}).code, 5);
}

TEST(Shrink, PrintedTestChecksTheAnswer) {
  const auto as = [](const std::string& rule, const std::string& mutant, const std::string& one,
                     const std::string& framework) {
    return splitproof({"shrink", one, "--target", "mutant:" + mutant, "--rule", rule, "--as", framework});
  };
  const std::string late = "openai.chat/tool-id-late-alone";
  for (const std::string framework : {"vitest", "pytest", "go"}) {
    const Finished test = as("TOOL-04", "gate-in-function-block", late, framework);
    EXPECT_EQ(test.code, 0) << test.err;
    EXPECT_NE(test.out.find("FILL IN: "), std::string::npos);
    EXPECT_NE(test.out.find("Made by splitproof shrink of " + late + "?client="), std::string::npos);
    EXPECT_EQ(test.out.find('@'), std::string::npos) << "nothing of the frame is left: " << test.out;
  }
  EXPECT_EQ(as("TOOL-04", "gate-in-function-block", late, "junit").code, 2);
  // Equality of bytes is not a property of one answer.
  const Finished bytes =
      as("META-03", "chunk-is-event", "openai.chat/tool-plain?client=anthropic.messages&gen=bytes", "go");
  EXPECT_EQ(bytes.code, 2);
  EXPECT_NE(bytes.err.find("splitproof cannot write a test for META-03"), std::string::npos) << bytes.err;
}

TEST(Shrink, EndsWithTheTries) {
  const Finished shrunk = splitproof({"shrink", "openai.chat/tool-plain?client=anthropic.messages&gen=bytes",
                                      "--target", "mutant:chunk-is-event", "--tries", "5"});
  EXPECT_EQ(shrunk.code, 0) << shrunk.err;
  EXPECT_NE(shrunk.out.find("after 5 tries; --tries ended the search, so a smaller case may exist"),
            std::string::npos)
      << shrunk.out;
}

}  // namespace
}  // namespace splitproof::cli::shrink_test
