// Small programs whose lines are known, with the agents of Node and Python.

#include "harness/coverage/agent_coverage.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/coverage/covered_testee.hpp"
#include "harness/testee/http_testee.hpp"
#include "harness/testee/pipe_testee.hpp"

namespace splitproof::coverage::agent_coverage_test {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;
using Agent = testee::TargetCoverage::Agent;

// Over HTTP. The two kinds of chunks take different lines.
constexpr const char* kRelay = R"(const http = require('http');
function pass(piece, response) {
  if (piece.includes('x')) {
    response.write('with x');
  } else {
    response.write('without');
  }
}
http.createServer((request, response) => {
  request.resume().on('end', () => {
    const call = http.request(process.env.UPSTREAM + request.url, {method: 'POST'}, answer => {
      answer.on('data', piece => pass(piece.toString(), response));
      answer.on('end', () => response.end());
    });
    call.end(process.env.BODY ?? '{"stream":true}');
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
)";

// Over a pipe.
constexpr const char* kReader = R"(import base64, json, sys
import helper

for line in sys.stdin:
    told = json.loads(line)
    if "feed" in told:
        helper.look(base64.b64decode(told["feed"]))
    print('{"ack":true}', flush=True)
)";
constexpr const char* kHelper = R"(def look(chunk):
    if b"x" in chunk:
        return 1
    return 2
)";

class AgentCoverageTest : public testing::Test {
 protected:
  AgentCoverageTest() {
    std::string pattern = testing::TempDir() + "covered-XXXXXX";
    folder_ = mkdtemp(pattern.data());
  }
  ~AgentCoverageTest() override { fs::remove_all(folder_); }

  void SetUp() override {
    auto supervisor = testee::Supervisor::start();
    ASSERT_TRUE(supervisor) << describe(supervisor.error());
    supervisor_ = std::move(*supervisor);
  }
  void TearDown() override {
    testee_.reset();
    supervisor_.reset();
  }

  void put(const std::string& name, const std::string& text) const {
    fs::create_directories(fs::path(folder_ + "/" + name).parent_path());
    std::ofstream(folder_ + "/" + name) << text;
  }

  testee::TargetFile target(Agent agent, std::vector<std::string> command) const {
    testee::TargetFile target;
    target.name = "covered";
    target.path = folder_ + "/covered.yaml";
    target.client = target.upstream = "openai.chat";
    target.coverage.agent = agent;
    target.command = std::move(command);
    return target;
  }

  testee::TargetFile http(std::vector<std::string> command) const {
    testee::TargetFile file = target(Agent::node, std::move(command));
    file.env = {{"PORT", "{port}"}, {"UPSTREAM", "{upstream}"}};
    file.listen = "http://127.0.0.1:{port}";
    file.request_path = "/v1/chat/completions";
    file.model = "m";
    return file;
  }

  testee::TargetFile pipe(Agent agent, std::vector<std::string> command) const {
    testee::TargetFile file = target(agent, std::move(command));
    file.kind = testee::TargetFile::Kind::pipe;
    return file;
  }

  void start(testee::TargetFile file) {
    auto coverage = AgentCoverage::attach(file, stop_);
    ASSERT_TRUE(coverage) << describe(coverage.error());
    std::unique_ptr<testee::Testee> inner;
    if (file.kind == testee::TargetFile::Kind::pipe)
      inner = std::make_unique<testee::PipeTestee>(file, *supervisor_, stop_);
    else
      inner = std::make_unique<testee::HttpTestee>(file, *supervisor_, stop_);
    testee_ = std::make_unique<CoveredTestee>(std::move(inner), *std::move(coverage));
    const auto started = testee_->start();
    ASSERT_TRUE(started) << describe(started.error());
  }

  // Runs a case with these chunks, and returns the names of the lines that it reached.
  Names reached_by(std::vector<std::string_view> chunks) const {
    testee::Exchange exchange;
    exchange.chunks = std::move(chunks);
    const testee::Observation seen = testee_->observe(exchange);
    EXPECT_EQ(seen.ending, testee::Ending::complete) << seen.detail;
    const auto taken = testee_->coverage()->take();
    EXPECT_TRUE(taken) << describe(taken.error());
    return names(taken.value_or(std::vector<std::uint32_t>()));
  }

  Names names(const std::vector<std::uint32_t>& places) const {
    Names names;
    for (const std::uint32_t place : places) names.push_back(testee_->coverage()->name(place));
    return names;
  }

  static Names without(const Names& some, const Names& others) {
    Names rest;
    for (const std::string& name : some)
      if (std::find(others.begin(), others.end(), name) == others.end()) rest.push_back(name);
    return rest;
  }

  static bool has_node() { return std::system("node -e 0 2>/dev/null") == 0; }

  std::string folder_;
  testee::StopToken stop_;
  std::unique_ptr<testee::Supervisor> supervisor_;
  std::unique_ptr<testee::Testee> testee_;
};

TEST_F(AgentCoverageTest, NodeServerHasTheLinesOfEachCase) {
  if (!has_node()) GTEST_SKIP() << "node is not installed";
  put("server.js", kRelay);
  ASSERT_NO_FATAL_FAILURE(start(http({"node", folder_ + "/server.js"})));
  const Names with = reached_by({"ax"});
  const Names other = reached_by({"b"});
  EXPECT_EQ(without(with, other), Names{"server.js:4"});
  EXPECT_EQ(without(other, with), Names{"server.js:6"});
  EXPECT_EQ(reached_by({"ax"}), with);
  EXPECT_EQ(reached_by({"ax", "b"}).size(), with.size() + 1);
  // Lines without code do not count. All others of the file are known.
  EXPECT_EQ(names(testee_->coverage()->known()).size(), 12U);
  EXPECT_EQ(names(testee_->coverage()->take().value()), Names());
}

TEST_F(AgentCoverageTest, PackageUnderNodeModulesCountsWithoutItsDependencies) {
  if (!has_node()) GTEST_SKIP() << "node is not installed";
  put("node_modules/relay/lib/server.js",
      std::string("require('small');\nif (process.env.SHOW) require('../../small');\n") + kRelay);
  put("node_modules/small/index.js", "module.exports = 1;\n");
  ASSERT_NO_FATAL_FAILURE(start(http({"node", folder_ + "/node_modules/relay/lib/server.js"})));
  const Names reached = reached_by({"ax"});
  EXPECT_NE(std::find(reached.begin(), reached.end(), "lib/server.js:6"), reached.end());
  for (const std::string& name : names(testee_->coverage()->known()))
    EXPECT_TRUE(name.starts_with("lib/server.js:")) << name;
}

TEST_F(AgentCoverageTest, RestartedProgramIsCoveredToo) {
  if (!has_node()) GTEST_SKIP() << "node is not installed";
  put("server.js", kRelay);
  ASSERT_NO_FATAL_FAILURE(start(http({"node", folder_ + "/server.js"})));
  const Names before = reached_by({"ax"});
  testee_->start_over();
  ASSERT_TRUE(testee_->coverage()->take());
  EXPECT_EQ(reached_by({"ax"}), before);
}

TEST_F(AgentCoverageTest, PythonProgramHasTheLinesOfEachCase) {
  put("reader.py", kReader);
  put("helper.py", kHelper);
  ASSERT_NO_FATAL_FAILURE(start(pipe(Agent::python, {"python3", "reader.py"})));
  static_cast<void>(reached_by({"warm-up"}));  // the program of the first case is new
  const Names with = reached_by({"ax"});
  const Names other = reached_by({"b"});
  EXPECT_EQ(without(with, other), Names{"helper.py:3"});
  EXPECT_EQ(without(other, with), Names{"helper.py:4"});
  EXPECT_EQ(reached_by({"ax"}), with);
}

TEST_F(AgentCoverageTest, ChosenFilesAloneCount) {
  put("reader.py", kReader);
  put("helper.py", kHelper);
  testee::TargetFile file = pipe(Agent::python, {"python3", "reader.py"});
  file.coverage.files = {"helper.py"};
  ASSERT_NO_FATAL_FAILURE(start(std::move(file)));
  static_cast<void>(reached_by({"warm-up"}));
  EXPECT_EQ(reached_by({"ax"}), (Names{"helper.py:2", "helper.py:3"}));
}

TEST_F(AgentCoverageTest, SitecustomizeOfTheTargetStillRuns) {
  put("reader.py", std::string("import os, sys\nassert os.environ['FOUND'] == '1'\n") + kReader);
  put("helper.py", kHelper);
  put("own/sitecustomize.py", "import os\nos.environ['FOUND'] = '1'\n");
  testee::TargetFile file = pipe(Agent::python, {"python3", "reader.py"});
  file.env = {{"PYTHONPATH", folder_ + "/own"}};
  ASSERT_NO_FATAL_FAILURE(start(std::move(file)));
  EXPECT_FALSE(reached_by({"ax"}).empty());
}

TEST_F(AgentCoverageTest, NativeProgramHasTheEdgesOfEachCase) {
  const char* program = std::getenv("SPLITPROOF_COUNTED_PROGRAM");
  ASSERT_NE(program, nullptr);
  ASSERT_NO_FATAL_FAILURE(start(pipe(Agent::sancov, {program})));
  EXPECT_EQ(reached_by({"x"}), (Names{"edge:0", "edge:1", "edge:2"}));
  EXPECT_EQ(reached_by({"b"}), (Names{"edge:0", "edge:2"}));
  EXPECT_EQ(reached_by({"x"}), (Names{"edge:0", "edge:1", "edge:2"}));
  EXPECT_EQ(names(testee_->coverage()->known()), (Names{"edge:0", "edge:1", "edge:2"}));
}

TEST_F(AgentCoverageTest, ErrorSaysThatNoAgentCame) {
  put("reader.py", kReader);
  put("helper.py", kHelper);
  ASSERT_NO_FATAL_FAILURE(start(pipe(Agent::python, {"python3", "-S", "reader.py"})));
  const auto taken = testee_->coverage()->take();
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().what,
            "coverage: python gives nothing: no process of the target loaded the agent from PYTHONPATH");
  EXPECT_EQ(taken.error().hint,
            "the program must run in Python 3.8 or later, without -E, -I, -S or another sitecustomize");
  EXPECT_EQ(taken.error().file, folder_ + "/covered.yaml");
}

TEST_F(AgentCoverageTest, ErrorSaysThatNoFileOfTheTargetRan) {
  put("reader.py", kReader);
  put("helper.py", kHelper);
  testee::TargetFile file = pipe(Agent::python, {"python3", "reader.py"});
  file.coverage.files = {"elsewhere"};
  ASSERT_NO_FATAL_FAILURE(start(std::move(file)));
  const auto taken = testee_->coverage()->take();
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().what,
            "coverage: python gives nothing: its agent runs, but no file of the target did");
}

}  // namespace
}  // namespace splitproof::coverage::agent_coverage_test
