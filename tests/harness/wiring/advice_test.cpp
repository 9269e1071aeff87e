#include "harness/wiring/advice.hpp"

#include <gtest/gtest.h>

#include <string>

namespace splitproof::wiring::advice_test {
namespace {

std::string advice(ProbeReach reach, int status, const std::string& body, const std::string& said = "") {
  ClientProbe probe;
  probe.client = "openai.chat";
  probe.reach = reach;
  probe.reply.body = body;
  probe.reply.http.emplace();
  probe.reply.http->status = status;
  testee::TargetFile file;
  file.command = {"a"};
  return advice_on_probe({probe, file, said, {"8080", "8089"}}, Advised::command_line);
}

TEST(Advice, QuotesTheLineThatExplainsAFailure) {
  EXPECT_EQ(error_line("\n  node:internal\n  Error: no module\n  at x (y)\n"), "Error: no module");
  EXPECT_EQ(error_line("one\ntwo\n\n"), "two");
  EXPECT_EQ(error_line(""), "");
}

TEST(Advice, NamesTheVariableThatAProgramLacks) {
  EXPECT_NE(
      advice_on_start("KeyError: 'UPSTREAM_URL'", Advised::command_line).find("UPSTREAM_URL={upstream}"),
      std::string::npos);
  EXPECT_NE(
      advice_on_start("MISTRAL_API_KEY is not set", Advised::target_file).find("MISTRAL_API_KEY: \"sk-"),
      std::string::npos);
  EXPECT_NE(advice_on_start("ERR_BAD_URL", Advised::command_line).find("correct the command"),
            std::string::npos);
}

TEST(Advice, NamesTheAddressThatAProxyCalls) {
  EXPECT_NE(advice(ProbeReach::refused, 502, "connect ECONNREFUSED 127.0.0.1:9999").find("127.0.0.1:9999"),
            std::string::npos);
  EXPECT_NE(advice(ProbeReach::refused, 502, "bad gateway", "localhost:9998: refused").find("127.0.0.1:9998"),
            std::string::npos);
  EXPECT_NE(advice(ProbeReach::refused, 502, "127.0.0.1:8080 failed").find("{upstream}"), std::string::npos)
      << "its own port";
}

TEST(Advice, NamesTheOptionForAKeyAModelOrAPath) {
  EXPECT_NE(advice(ProbeReach::refused, 401, "who?").find("--header"), std::string::npos);
  EXPECT_NE(advice(ProbeReach::refused, 400, "unknown Model").find("--model"), std::string::npos);
  EXPECT_NE(advice(ProbeReach::refused, 200, "a model").find("{upstream}"), std::string::npos);
  EXPECT_NE(advice(ProbeReach::nothing, 404, "").find("--path"), std::string::npos);
}

}  // namespace
}  // namespace splitproof::wiring::advice_test
