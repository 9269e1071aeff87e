#include "harness/wiring/target_text.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <string>

#include "harness/testee/target_file.hpp"

namespace splitproof::wiring::target_text_test {
namespace {

using testee::TargetFile;

TargetFile reloaded(const TargetFile& target) {
  const std::string path = ::testing::TempDir() + "target_text.yaml";
  std::ofstream(path) << target_text(target);
  const auto loaded = testee::load_target_file(path);
  EXPECT_TRUE(loaded) << describe(loaded.error()) << "\n" << target_text(target);
  return loaded.value_or(TargetFile());
}

TEST(TargetText, OfAStartedProxyReadsAsTheSameValue) {
  TargetFile target;
  target.name = "my-proxy";
  target.client = "anthropic.messages";
  target.upstream = "openai.chat";
  target.command = {"sh", "-c", "cd .. && A=\"b \\\\ c\" node 'x y.js' --port {port} # \xC3\xA9: [1, 2]\n"};
  target.env = {{"PORT", "{port}"}, {"EMPTY", ""}, {"TRUE", "true"}, {"NUMBER", "1"}};
  target.listen = "http://127.0.0.1:{port}";
  target.request_path = "/v1/messages";
  target.model = "a/b:c";
  target.headers = {{"authorization", "Bearer sk-test"}, {"x-empty", ""}};
  target.ready_within = std::chrono::milliseconds(2500);
  target.timeout = std::chrono::seconds(5);
  target.max_concurrency = 4;
  target.instances = 3;
  const TargetFile read = reloaded(target);
  EXPECT_EQ(read.name, target.name);
  EXPECT_EQ(read.client, target.client);
  EXPECT_EQ(read.upstream, target.upstream);
  EXPECT_EQ(read.command, target.command);
  EXPECT_EQ(read.env, target.env);
  EXPECT_EQ(read.listen, target.listen);
  EXPECT_EQ(read.request_path, target.request_path);
  EXPECT_EQ(read.model, target.model);
  EXPECT_EQ(read.headers, target.headers);
  EXPECT_EQ(read.ready_within, target.ready_within);
  EXPECT_EQ(read.timeout, target.timeout);
  EXPECT_EQ(read.max_concurrency, target.max_concurrency);
  EXPECT_EQ(read.instances, target.instances);
}

TEST(TargetText, OfAProxyThatRunsAlreadyReadsAsTheSameValue) {
  TargetFile target;
  target.name = "elsewhere";
  target.client = target.upstream = "openai.responses";
  target.listen = "http://[::1]:3456";
  target.upstream_listen = "127.0.0.1:4000";
  target.request_path = "/responses";
  target.model = "m";
  const TargetFile read = reloaded(target);
  EXPECT_TRUE(read.command.empty());
  EXPECT_EQ(read.listen, target.listen);
  EXPECT_EQ(read.upstream_listen, target.upstream_listen);
}

}  // namespace
}  // namespace splitproof::wiring::target_text_test
