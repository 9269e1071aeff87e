#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include "tests/proxy/server/served.hpp"

namespace splitproof::server::process_test {
namespace {

TEST(Process, HelpAndVersion) {
  const ProxyRun help = run_proxy({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_NE(help.out.find("Example:\n  splitproof-proxy --listen"), std::string::npos) << help.out;
  for (const char* knob :
       {"nameless-call: suppress|synthesize|error", "tool-choice: native|emulate", "names: same|opencode",
        "environment: leave|lift", "preamble: none|pr54", "retention: as-sent|structured"})
    EXPECT_NE(help.out.find(knob), std::string::npos) << help.out;
  EXPECT_EQ(help.err, "");
  const ProxyRun version = run_proxy({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out.find("splitproof-proxy "), 0U) << version.out;
}

TEST(Process, MistakesOfUsage) {
  const std::vector<std::string> good = {"--upstream", "http://127.0.0.1:9/v1"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), good.begin(), good.end());
    return more;
  };
  const std::vector<std::pair<std::vector<std::string>, std::string>> rows = {
      {{}, "--upstream is required"},
      {{"--upstrem", "x"}, "there is no option '--upstrem'; did you mean --upstream?"},
      {with({"--listen"}), "--listen needs a value"},
      {with({"--listen", "nowhere"}),
       "--listen: 'nowhere' is not HOST:PORT; write for example 127.0.0.1:8080"},
      {with({"--listen", "192.0.2.1:0"}), "cannot listen on 192.0.2.1 port 0"},
      {with({"--upstream-protocol", "gemini"}), "--upstream-protocol: 'gemini' is not openai.chat"},
      {with({"--config", "/no/such/file"}), "/no/such/file: cannot be read: "},
      {with({"--config", ""}), "--config: the value is empty"},
      {with({"--profile", ""}), "--profile: the value is empty"},
      {with({"--seed", "x"}), "--seed: 'x' is not a whole number from 0 to 18446744073709551615"},
      {with({"--seed", "-1"}), "--seed: '-1' is not a whole number from 0 to 18446744073709551615"},
      {with({"--seed", "18446744073709551616"}), "--seed: '18446744073709551616' is not a whole number"},
      {{"--upstream", "http://host:99999/v1"},
       "--upstream: the upstream's port '99999' is not a number from 1 to 65535"},
      {{"--upstream", "host:99999"}, "--upstream: the upstream must be a base URL"},
      {{"--upstream", "ftp://host"},
       "--upstream: the upstream must be a base URL, such as https://api.example.com/v1"},
  };
  for (const auto& [arguments, message] : rows) {
    SCOPED_TRACE(message);
    const ProxyRun run = run_proxy(arguments);
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find("splitproof-proxy: " + message), std::string::npos) << run.err;
  }
}

// A thread cannot start if its stack is larger than the address space.
TEST(Process, WhatTheSystemRefusesIsSaidInOneLine) {
  rlimit before{};
  getrlimit(RLIMIT_STACK, &before);
  rlimit huge = before;
  huge.rlim_cur = rlim_t{1} << 50;
  if (huge.rlim_cur > before.rlim_max)
    GTEST_SKIP() << "this system does not let the limit of the stack be raised";
  ASSERT_EQ(setrlimit(RLIMIT_STACK, &huge), 0);
  const ProxyRun run = run_proxy({"--upstream", "http://127.0.0.1:9/v1"});
  setrlimit(RLIMIT_STACK, &before);
  EXPECT_EQ(run.code, 3);
  EXPECT_EQ(run.err.find("splitproof-proxy: cannot continue: "), 0U) << run.err;
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
}

// A stream needs two.
TEST(Process, ItsOpenFilesAreAsManyAsTheSystemAllows) {
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit low = before;
  low.rlim_cur = 256;
  if (before.rlim_max <= low.rlim_cur) GTEST_SKIP() << "this system allows hardly any open files";
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  const ProxyProcess proxy("http://127.0.0.1:9/v1");
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(proxy.open_files_at_most(), before.rlim_max);
}

TEST(Process, APortThatIsTakenIsNotShared) {
  const Upstream other;
  const ProxyRun run = run_proxy(
      {"--upstream", "http://127.0.0.1:9/v1", "--listen", "127.0.0.1:" + std::to_string(other.port())});
  EXPECT_EQ(run.code, 2);
  const ProxyProcess proxy(other.url());
  const ProxyRun second = run_proxy(
      {"--upstream", "http://127.0.0.1:9/v1", "--listen", "127.0.0.1:" + std::to_string(proxy.port())});
  EXPECT_EQ(second.code, 2) << second.err;
}

TEST(Process, ASignalBeforeAnythingElse) {
  for (int i = 0; i < 5; ++i) {
    ProxyProcess proxy("http://127.0.0.1:9/v1");
    EXPECT_EQ(proxy.end(SIGTERM), 0);
  }
}

TEST(Process, ModelsAndTokenFieldComeFromTheConfiguration) {
  const Served served("models: {asked: mapped}\nmax-tokens-field: max_completion_tokens\n");
  Client client(served.proxy.port());
  client.post("/v1/messages",
              R"({"model":"asked","max_tokens":7,"messages":[{"role":"user","content":"x"}]})");
  const std::string body = served.upstream.accept().request().body;
  EXPECT_EQ(body.find(R"({"model":"mapped","max_completion_tokens":7,)"), 0U) << body;
}

}  // namespace
}  // namespace splitproof::server::process_test
