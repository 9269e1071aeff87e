#include "harness/cli/command_line.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace splitproof::cli::command_line_test {
namespace {

std::string shown(std::vector<const char*> words) {
  words.push_back(nullptr);
  return shown_command(words.data());
}

TEST(ShownCommand, IsQuotedForAShell) {
  EXPECT_EQ(shown({"/usr/bin/splitproof", "run", "--only", "a b?*", "--quick"}),
            "splitproof run --only 'a b?*' --quick");
  EXPECT_EQ(shown({"splitproof"}), "splitproof");
}

TEST(ShownCommand, SecretValuesAreLeftOut) {
  EXPECT_EQ(
      shown({"splitproof", "try", "--header", "x-api-key: sk-1", "--header", "authorization: Bearer x"}),
      "splitproof try --header 'x-api-key: ...' --header 'authorization: ...'");
  EXPECT_EQ(shown({"splitproof", "try", "--header=x-api-key: sk-1"}),
            "splitproof try '--header=x-api-key: ...'");
  EXPECT_EQ(shown({"splitproof", "try", "PORT=1 MY_API_KEY=sk-1 gh_token=2 node x.js --key=3"}),
            "splitproof try 'PORT=1 MY_API_KEY=... gh_token=... node x.js --key=...'");
}

}  // namespace
}  // namespace splitproof::cli::command_line_test
