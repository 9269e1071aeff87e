// `splitproof self-test`, from the outside.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::self_test_test {
namespace {

namespace fs = std::filesystem;

TEST(SelfTest, OneStreamConforms) {
  const Finished told = splitproof({"self-test", "--only", "falsifiers/plain-tool.sse"});
  EXPECT_EQ(told.code, 0) << told.out;
  EXPECT_NE(told.out.find("anthropic.messages: 1 stream, "), std::string::npos) << told.out;
  EXPECT_NE(told.out.find("\nsplitproof: CONFORMS  1 stream, "), std::string::npos) << told.out;
}

TEST(SelfTest, TakesTheStreamsOfOneProtocol) {
  const std::vector<std::string> of_all = {"self-test", "--only", "*refusal*"};
  std::vector<std::string> of_one = of_all;
  of_one.insert(of_one.end(), {"--client", "openai.responses"});
  const Finished told = splitproof(of_one);
  EXPECT_EQ(told.code, 0) << told.out;
  EXPECT_NE(told.out.find("openai.responses: "), std::string::npos) << told.out;
  EXPECT_EQ(told.out.find("openai.chat: "), std::string::npos) << told.out;
  EXPECT_NE(splitproof(of_all).out.find("openai.chat: "), std::string::npos);
  EXPECT_EQ(told.out, splitproof(of_one).out);
}

TEST(SelfTest, EmptySelectionIsReported) {
  EXPECT_EQ(splitproof({"self-test", "--only", "no-such-stream"}).code, 5);
}

// A custom rule with a custom stream as its control. A member that no rule knows may have any value.
TEST(SelfTest, OwnRulesAreTested) {
  const fs::path folder = fs::path(testing::TempDir()) / "own-rules";
  fs::remove_all(folder);
  fs::create_directories(folder / "self-test");
  std::ofstream(folder / "lone.sse")
      << "event: error\ndata: {\"type\":\"error\",\"house\":\"Leith\",\"error\":{\"type\":\"api_error\",\"message\":\"No.\"}}\n\n";
  std::ofstream(folder / "bare.sse")
      << "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"No.\"}}\n\n";
  const auto rule = [&](const std::string& test) {
    std::ofstream(folder / "house.yaml")
        << "contract: anthropic.messages.downstream\nversion: 1\n"
           "events: {house-error: {/type: error}}\nobligations:\n"
           "  - {id: HOUSE-01, level: must, says: An error names the house., each: house-error,\n"
           "     where: {/house: " +
               test +
               "},\n"
               "     falsifiers: [{file: bare.sse, trips: [HOUSE-01], control: lone.sse}]}\n";
  };
  rule("{type: string}");
  const std::vector<std::string> command = {"self-test", "--contracts", folder.string(), "--only",
                                            "lone.sse"};
  const Finished loose = splitproof(command);
  EXPECT_EQ(loose.code, 1);
  EXPECT_NE(loose.out.find("other-value of error /house passes without a reason"), std::string::npos)
      << loose.out;
  std::vector<std::string> for_programs = command;
  for_programs.push_back("--json");
  const Finished lines = splitproof(for_programs);
  EXPECT_EQ(lines.code, 1);
  EXPECT_EQ(lines.err, last_line(loose.out) + "\n");
  EXPECT_FALSE(lines_of(lines.out).empty());
  for (const std::string& line : lines_of(lines.out))
    EXPECT_NE(loose.out.find("\n" + nlohmann::json::parse(line).at("message").get<std::string>() + "\n"),
              std::string::npos)
        << line;
  rule("Leith");
  EXPECT_EQ(splitproof(command).code, 0) << splitproof(command).out;
  rule("{type: string}");
  std::ofstream(folder / "self-test" / "house.yaml")
      << "self-test: anthropic.messages\npasses:\n"
         "  - {why: Any house will do., changes: [other-value, empty-value], events: [error], fields: [/house]}\n";
  EXPECT_EQ(splitproof(command).code, 0) << splitproof(command).out;
}

}  // namespace
}  // namespace splitproof::cli::self_test_test
