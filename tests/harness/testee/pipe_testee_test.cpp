// Programs that use the pipe protocol well and badly. The file is long because each is a few lines of Python or sh next
// to its expected result.

#include "harness/testee/pipe_testee.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "harness/read_file.hpp"
#include "tests/harness/testee/watched.hpp"

namespace splitproof::testee::pipe_testee_test {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr const char* kMarker = "SPLITPROOF_PIPE_TEST";

// Beginning of every program in Python.
constexpr const char* kBegin = R"(
import base64, json, os, sys, time
def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()
def say(**word): write(json.dumps(word) + "\n")
def out(data): say(out=base64.b64encode(data).decode())
def told():
    for line in sys.stdin:
        yield next(iter(json.loads(line).items()))
)";

// Writes [chunk] for each chunk, then the end and its process id.
constexpr const char* kEcho = R"(
for key, value in told():
    if key == "open":
        opened = value
    if key == "feed":
        for part in (b"[", base64.b64decode(value), b"]"): out(part)
    if key == "end":
        out(("%s %d" % (value, os.getpid())).encode())
    say(ack=True)
)";

class PipeTesteeTest : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "python3 is not installed";
    auto supervisor = Supervisor::start();
    ASSERT_TRUE(supervisor) << describe(supervisor.error());
    supervisor_ = std::move(*supervisor);
  }

  void TearDown() override {
    testees_.clear();
    supervisor_.reset();
    EXPECT_TRUE(comes_true([this] { return marked_processes().empty(); }))
        << "process " << *marked_processes().begin() << " is left over";
  }

  TargetFile target(std::vector<std::string> command) const {
    TargetFile target;
    target.name = "bad";
    target.path = folder_ + "/bad.yaml";
    target.kind = TargetFile::Kind::pipe;
    target.client = "anthropic.messages";
    target.upstream = "openai.chat";
    target.command = std::move(command);
    target.env[kMarker] = folder_;
    target.timeout = milliseconds(60'000);
    return target;
  }

  TargetFile python(const std::string& text) const {
    return target({"python3", scratch_.put(std::to_string(++programs_) + ".py", kBegin + text)});
  }

  TargetFile shell(const std::string& text) const { return target({"sh", "-c", text}); }

  // Not started yet.
  PipeTestee& prepared(TargetFile target) {
    testees_.push_back(std::make_unique<PipeTestee>(std::move(target), *supervisor_, stop_));
    return *testees_.back();
  }

  PipeTestee& testee(TargetFile target) {
    PipeTestee& testee = prepared(std::move(target));
    const auto started = testee.start();
    EXPECT_TRUE(started) << describe(started.error());
    return testee;
  }

  Observation observe(TargetFile target, const Exchange& exchange = {{"a", "b"}}) {
    return testee(std::move(target)).observe(exchange);
  }

  // Returns the processes with this test's marker in their environment.
  std::set<std::string> marked_processes() const {
    std::set<std::string> found;
    for (const fs::directory_entry& process : fs::directory_iterator("/proc")) {
      const std::string id = process.path().filename();
      if (id.find_first_not_of("0123456789") != std::string::npos) continue;
      // A process that ends meanwhile has none.
      const std::string environment = read_file(process.path() / "environ").value_or("");
      if (environment.find(std::string(kMarker) + "=" + folder_) != std::string::npos) found.insert(id);
    }
    return found;
  }

 private:
  const Scratch scratch_;

 protected:
  const std::string folder_ = scratch_.root();

 private:
  mutable int programs_ = 0;
  const StopToken stop_;
  std::unique_ptr<Supervisor> supervisor_;
  std::vector<std::unique_ptr<PipeTestee>> testees_;
};

testing::AssertionResult ended(const Observation& seen, Ending ending, const std::string& detail) {
  if (seen.ending == ending && seen.detail.find(detail) != std::string::npos)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << name(seen.ending) << ": " << seen.detail;
}

// Reports an event for each chunk, and answers a line only after it has read the next one, if the stream goes on.
constexpr const char* kReadsAhead = R"(
waiting = 0
for key, value in told():
    waiting += 1
    if key == "feed":
        say(event={"data": base64.b64decode(value).decode()})
        if base64.b64decode(value) == b"fail": os._exit(3)
        if waiting == 1: continue
    while waiting > 0:
        say(ack=True)
        waiting -= 1
)";

TEST_F(PipeTesteeTest, ReaderGetsTheLinesOfAStreamAtOnce) {
  TargetFile file = python(kReadsAhead);
  file.client = "sse";
  file.upstream = "any";
  const PipeTestee& reader = testee(std::move(file));
  for (int repeated = 0; repeated < 2; ++repeated) {
    const Observation seen = reader.observe({{"a", "b", "c"}});
    EXPECT_EQ(seen.ending, Ending::complete) << seen.detail;
    EXPECT_EQ(seen.after_chunk.size(), 3U);
    EXPECT_EQ(std::count(seen.body.begin(), seen.body.end(), '\n'), 3) << seen.body;
  }
  EXPECT_TRUE(ended(reader.observe({{"a", "b", "fail", "c"}}), Ending::crashed, "after chunk 3 of 4"));
}

TEST_F(PipeTesteeTest, ChunksComeInOrderAndOutputIsNotedAfterEach) {
  PipeTestee& echo = testee(python(kEcho));
  std::string process;
  for (const recording::End end :
       {recording::End::complete, recording::End::closed, recording::End::reset, recording::End::stall}) {
    const std::string bytes("\0\n\xFF\r", 4);
    const Observation seen = echo.observe({{"a", "", bytes, "{\"ack\":true}\n"}, end});
    EXPECT_TRUE(ended(seen, Ending::complete, ""));
    const std::string fed = "[a][][" + bytes + "][{\"ack\":true}\n]";
    ASSERT_EQ(seen.body.substr(0, fed.size()), fed);
    EXPECT_EQ(seen.after_chunk, (std::vector<std::size_t>{3, 5, 11, 26}));
    const std::string last = seen.body.substr(fed.size());
    EXPECT_EQ(last.substr(0, last.find(' ')), recording::name(end));
    // A program without a fault serves again.
    if (process.empty()) process = last.substr(last.find(' '));
    EXPECT_EQ(last.substr(last.find(' ')), process);
  }
  EXPECT_EQ(echo.remark(), "");
}

TEST_F(PipeTesteeTest, PausesPassBeforeEachChunkAndTheEnd) {
  // Writes the milliseconds since the line before.
  constexpr const char* kClock = R"(
last = time.monotonic()
for key, value in told():
    out(b"%d " % ((time.monotonic() - last) * 1000))
    last = time.monotonic()
    say(ack=True)
)";
  Exchange exchange{{"a", "b"}};
  exchange.pauses = {0.05, 0.1, 0.15};
  const Observation seen = testee(python(kClock)).observe(exchange);
  EXPECT_TRUE(ended(seen, Ending::complete, ""));
  std::istringstream times(seen.body);
  int opening = 0;
  times >> opening;
  for (const double pause : exchange.pauses) {
    double waited = 0;
    times >> waited;
    EXPECT_GE(waited + 1, pause * 1000) << seen.body;
  }
}

TEST_F(PipeTesteeTest, OpensWithTheProtocolsAndTheRecordingsRequest) {
  recording::Recording recording;
  const nlohmann::json request{{"model", "m-1"}, {"messages", nlohmann::json::array()}};
  recording.requests = std::make_shared<nlohmann::json>(nlohmann::json{{"anthropic.messages", request}});
  Exchange exchange;
  exchange.recording = &recording;
  const Observation seen = observe(python(R"(
for key, value in told():
    if key == "open": out(json.dumps(value).encode())
    say(ack=True)
)"),
                                   exchange);
  ASSERT_TRUE(ended(seen, Ending::complete, ""));
  EXPECT_EQ(
      nlohmann::json::parse(seen.body),
      (nlohmann::json{{"client", "anthropic.messages"}, {"upstream", "openai.chat"}, {"request", request}}));
}

TEST_F(PipeTesteeTest, ProgramReportsItsRequestOfEachExchange) {
  constexpr const char* kAsks = R"(
asks = 0
for key, value in told():
    if key == "open":
        asks += 1
        say(ask={"path": "/chat", "headers": {"x": "y"}, "body": {"model": str(asks)}} if asks % 2 else {"body": {}})
    say(ack=True)
)";
  PipeTestee& asking = testee(python(kAsks));
  for (const auto& [path, body] : {std::pair("/chat", R"({"model":"1"})"), {"/v1/chat/completions", "{}"}}) {
    const Observation seen = asking.observe({{"a", "b"}});
    EXPECT_TRUE(ended(seen, Ending::complete, ""));
    EXPECT_NE(seen.request.find("messages"), std::string::npos) << seen.request;
    ASSERT_EQ(seen.calls.size(), 1U);
    EXPECT_EQ(seen.calls.front().target, path);
    EXPECT_EQ(seen.calls.front().body, body);
  }
  const Observation silent = observe(python(kEcho));
  EXPECT_TRUE(silent.request.empty());
  EXPECT_TRUE(silent.calls.empty());
}

TEST_F(PipeTesteeTest, ProgramRefusesARequestOrReportsAnInvalidOne) {
  // The program answers `first` in the trial, and `ask` later.
  const auto saying = [this](const std::string& first, const std::string& ask) {
    return python("import pathlib\ntried = pathlib.Path(__file__ + '.tried')\nfor key, value in told():\n" +
                  ("    if key == 'open': write(('" + ask + "' if tried.exists() else '" + first) +
                  "') + chr(10)); tried.touch()\n    say(ack=True)\n");
  };
  const std::string sound = R"({"ask":{"body":{}}})";
  const Observation refusing = observe(saying(sound, R"({"ask":{"status":400}})"));
  EXPECT_TRUE(ended(refusing, Ending::complete, ""));
  ASSERT_TRUE(refusing.http);
  EXPECT_EQ(refusing.http->status, 400);
  EXPECT_TRUE(refusing.calls.empty());
  for (const char* ask : {R"({"ask":{}})", R"({"ask":{"status":200}})", R"({"ask":{"status":400,"body":{}}})",
                          R"({"ask":{"body":"{}"}})", R"({"ask":{"body":{},"method":"GET"}})",
                          R"({"ask":{"body":{},"headers":{"x":1}}})", R"({"ask":{"body":{},"path":1}})"}) {
    EXPECT_TRUE(ended(observe(saying(sound, ask)), Ending::garbage, "`ask`")) << ask;
    const auto started = prepared(saying(ask, sound)).start();
    ASSERT_FALSE(started) << ask;
    EXPECT_NE(describe(started.error()).find("`ask`"), std::string::npos) << describe(started.error());
  }
}

TEST_F(PipeTesteeTest, LargeChunksGoBothWaysAtOnce) {
  // This program writes before it has read the whole line. A writer that does not read would block forever.
  PipeTestee& streaming = testee(python(R"(
while True:
    while True:
        piece = os.read(0, 4096)
        if not piece: sys.exit()
        out(b"x" * 20000)
        if piece.endswith(b"\n"): break
    say(ack=True)
)"));
  const std::string chunk(1'000'000, 'c');
  const Observation seen = streaming.observe({{chunk, chunk}});
  EXPECT_TRUE(ended(seen, Ending::complete, ""));
  ASSERT_EQ(seen.after_chunk.size(), 2U);
  EXPECT_GT(seen.after_chunk[0], 4'000'000U);
}

TEST_F(PipeTesteeTest, ManyExchangesAtOnceHaveAProgramEach) {
  TargetFile file = python(kEcho);
  file.max_concurrency = 3;
  PipeTestee& echo = testee(file);
  EXPECT_EQ(echo.traits().max_concurrency, 3U);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&echo, t] {
      for (int i = 0; i < 20; ++i) {
        const std::string chunk = std::to_string(t * 1000 + i);
        const Observation seen = echo.observe({{chunk}});
        EXPECT_TRUE(ended(seen, Ending::complete, ""));
        EXPECT_EQ(seen.body.substr(0, chunk.size() + 2), "[" + chunk + "]");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(marked_processes().size(), 3U);
}

TEST_F(PipeTesteeTest, EndsAllProgramsWithItself) {
  PipeTestee& echo = testee(python(kEcho));
  EXPECT_TRUE(ended(echo.observe({{"a"}}), Ending::complete, ""));
  EXPECT_EQ(marked_processes().size(), 1U);
  // TearDown looks for remaining processes.
}

// At the end it reports a broken message, unless the upstream's was complete.
constexpr const char* kCutting = R"(
for key, value in told():
    if key == "feed": out(base64.b64decode(value))
    if key == "end" and value != "complete": say(cut=True)
    say(ack=True)
)";

TEST_F(PipeTesteeTest, ProgramMayReportABrokenMessage) {
  PipeTestee& cutting = testee(python(kCutting));
  for (const recording::End end :
       {recording::End::closed, recording::End::complete, recording::End::reset, recording::End::stall}) {
    const Observation seen = cutting.observe({{"a", "b"}, end});
    const bool whole = end == recording::End::complete;
    EXPECT_TRUE(ended(seen, whole ? Ending::complete : Ending::cut, whole ? "" : "breaks off"));
    EXPECT_EQ(seen.body, "ab");
    EXPECT_EQ(seen.after_chunk, (std::vector<std::size_t>{1, 2}));
  }
  EXPECT_EQ(cutting.remark(), "") << "it served on";
}

TEST_F(PipeTesteeTest, MessageBreaksOffOnceAndAtTheEndOnly) {
  const Observation early = observe(python(R"(
for key, value in told():
    if key == "feed": say(cut=True)
    say(ack=True)
)"));
  EXPECT_TRUE(
      ended(early, Ending::garbage, "after chunk 1 of 2: the program cut the client's message off before"));
  const Observation on = observe(python(R"(
for key, value in told():
    if key == "end": say(cut=True) or out(b"more")
    say(ack=True)
)"));
  EXPECT_TRUE(
      ended(on, Ending::garbage, "after `end`: the program wrote output for a message that it had cut off"));
}

TEST_F(PipeTesteeTest, SkippedCaseHasAReasonAndTheProgramContinues) {
  PipeTestee& choosy = testee(python(R"(
for key, value in told():
    if key == "feed" and base64.b64decode(value) == b"a":
        say(skip="does no a", issue="https://example.org/7")
    elif key == "feed" and base64.b64decode(value) == b"b":
        say(skip="nor b")
    else:
        if key == "end": out(str(os.getpid()).encode())
        say(ack=True)
)"));
  const std::string process = choosy.observe({{"c"}}).body;
  Observation seen = choosy.observe({{"c", "a", "c"}});
  EXPECT_EQ(seen.ending, Ending::skipped);
  EXPECT_EQ(seen.detail, "does no a (https://example.org/7)");
  EXPECT_TRUE(seen.after_chunk.empty());
  seen = choosy.observe({{"b"}});
  EXPECT_EQ(seen.ending, Ending::skipped);
  EXPECT_EQ(seen.detail, "nor b");
  EXPECT_EQ(choosy.observe({{"c"}}).body, process);
  EXPECT_EQ(choosy.remark(), "");
}

TEST_F(PipeTesteeTest, ProgramThatReportsAFailureHasCrashed) {
  const Observation seen = observe(python(R"(
for key, value in told():
    if key == "feed": out(b"so far")
    if key == "feed": say(error="no such\nindex")
    else: say(ack=True)
)"));
  EXPECT_TRUE(
      ended(seen, Ending::crashed, "after chunk 1 of 2: the program reports a failure: `no such\\x0Aindex`"));
  EXPECT_EQ(seen.body, "so far");
  EXPECT_TRUE(seen.after_chunk.empty());
}

TEST_F(PipeTesteeTest, ProgramThatEndsHasCrashedAndItsLastWordsAreShown) {
  PipeTestee& fragile = testee(python(R"(
for key, value in told():
    if key == "feed" and base64.b64decode(value) == b"b":
        raise ValueError("cannot b")
    say(ack=True)
)"));
  EXPECT_TRUE(ended(fragile.observe({{"a"}}), Ending::complete, ""));
  const Observation seen = fragile.observe({{"a", "b"}});
  EXPECT_TRUE(ended(seen, Ending::crashed, "after chunk 2 of 2: the program ended (exit code 1)"));
  EXPECT_TRUE(ended(seen, Ending::crashed, "`ValueError: cannot b`"));
  EXPECT_TRUE(ended(fragile.observe({{"a"}}), Ending::complete, ""));  // in a new program
  EXPECT_EQ(fragile.remark(), "");
}

TEST_F(PipeTesteeTest, ProgramThatIsKilledHasCrashed) {
  EXPECT_TRUE(ended(observe(python(R"(
for key, value in told():
    if key == "end": os.kill(os.getpid(), 9)
    say(ack=True)
)")),
                    Ending::crashed, "after `end`: the program ended (signal 9"));
}

TEST_F(PipeTesteeTest, CrashThatDoesNotComeAgainIsAMishap) {
  PipeTestee& once = testee(python(R"(
for key, value in told():
    if key == "feed" and not os.path.exists("crashed"):
        open("crashed", "w")
        sys.exit(3)
    if key == "feed": out(b"fine")
    say(ack=True)
)"));
  Exchange exchange{{"a"}};
  exchange.name = "the first";
  const Observation seen = once.observe(exchange);
  EXPECT_TRUE(ended(seen, Ending::complete, ""));
  EXPECT_EQ(seen.body, "fine");
  const std::vector<UnattributedFailure> mishap{
      {Ending::crashed, "after chunk 1 of 1: the program ended (exit code 3)", "", "the first"}};
  EXPECT_EQ(once.mishaps(), mishap);
  EXPECT_EQ(seen.after_chunk, std::vector<std::size_t>{4});
  EXPECT_EQ(once.remark(), "1 fault did not occur again in a new program");
}

TEST_F(PipeTesteeTest, ResultDoesNotDependOnEarlierCases) {
  // Its second exchange fails, each in its own way.
  using Fault = std::pair<const char*, Ending>;
  for (const auto& [fault, ending] :
       {Fault{"sys.exit(1)", Ending::crashed}, Fault{"write('x\\n')", Ending::garbage},
        Fault{"say(ack=True)", Ending::garbage}, Fault{"time.sleep(60)", Ending::hung},
        Fault{"say(error='e')", Ending::crashed}}) {
    SCOPED_TRACE(fault);
    TargetFile file = python(std::string(R"(
opened = 0
for key, value in told():
    opened += key == "open"
    if key == "feed": out(value.encode())
    if opened == 2 and key == "feed": )") +
                             fault + "\n    say(ack=True)\n");
    file.timeout = milliseconds(2000);
    PipeTestee& ageing = testee(file);
    const Observation first = ageing.observe({{"a", "b"}});
    for (int i = 0; i < 3; ++i) {
      const Observation seen = ageing.observe({{"a", "b"}});
      EXPECT_TRUE(ended(seen, Ending::complete, ""));
      EXPECT_EQ(seen.body, first.body);
      EXPECT_EQ(seen.after_chunk, first.after_chunk);
    }
    EXPECT_NE(ageing.remark(), "");
    EXPECT_GE(ageing.mishaps().size(), 1U);
    for (const UnattributedFailure& one : ageing.mishaps()) EXPECT_EQ(one.ending, ending) << one.how;
  }
}

TEST_F(PipeTesteeTest, ProgramMayEndOrWriteBetweenExchanges) {
  using Afterwards = std::pair<const char*, std::optional<Ending>>;
  for (const auto& [afterwards, mishap] :
       {Afterwards{"sys.exit()", std::nullopt}, Afterwards{"time.sleep(0.05) or sys.exit()", std::nullopt},
        Afterwards{"time.sleep(0.05) or sys.exit(1)", Ending::crashed},
        Afterwards{"time.sleep(0.2) or write('done\\n')", Ending::garbage}}) {
    SCOPED_TRACE(afterwards);
    PipeTestee& testee = this->testee(python(std::string(R"(
for key, value in told():
    if key == "feed": out(b"fine")
    say(ack=True)
    if key == "end": )") + afterwards + "\n"));
    for (int i = 0; i < 3; ++i) {
      const Observation seen = testee.observe({{"a"}});
      EXPECT_TRUE(ended(seen, Ending::complete, ""));
      EXPECT_EQ(seen.body, "fine");
    }
    EXPECT_NE(testee.remark(), "");
    EXPECT_EQ(testee.mishaps().empty(), !mishap.has_value());
    for (const UnattributedFailure& one : testee.mishaps()) EXPECT_EQ(one.ending, mishap) << one.how;
  }
}

TEST_F(PipeTesteeTest, ProgramThatFallsSilentHangs) {
  TargetFile file = python(R"(
for key, value in told():
    if key == "feed":
        out(b"one")
        write('{"ack"')
        time.sleep(600)
    say(ack=True)
)");
  file.timeout = milliseconds(500);
  PipeTestee& silent = testee(file);
  const Observation seen = silent.observe({{"a", "b"}});
  EXPECT_TRUE(ended(seen, Ending::hung, "after chunk 1 of 2: the program did not answer within 500 ms"));
  EXPECT_TRUE(ended(seen, Ending::hung, "`{\"ack\"`"));
  EXPECT_EQ(seen.body, "one");
  EXPECT_TRUE(ended(silent.observe({{}}), Ending::complete, ""));  // in a new program
}

TEST_F(PipeTesteeTest, ProgramThatDoesNotReadHangs) {
  TargetFile file = python(R"(
sys.stdin.readline()
say(ack=True)
time.sleep(600)
)");
  file.timeout = milliseconds(500);
  EXPECT_TRUE(ended(observe(file, {{std::string(1'000'000, 'x')}}), Ending::hung, "after chunk 1 of 1"));
}

TEST_F(PipeTesteeTest, ProgramThatClosesItsInputHangsOrAnswers) {
  TargetFile file = python(R"(
sys.stdin.readline()
say(ack=True)
os.close(0)
time.sleep(600)
)");
  file.timeout = milliseconds(500);
  const Observation seen = observe(file, {{std::string(1'000'000, 'x')}});
  EXPECT_TRUE(ended(seen, Ending::hung, "after chunk 1 of 1"));
}

TEST_F(PipeTesteeTest, ProgramThatClosesItsOutputHasCrashed) {
  EXPECT_TRUE(ended(observe(python(R"(
sys.stdin.readline()
say(ack=True)
os.close(1)
time.sleep(600)
)")),
                    Ending::crashed, "the program closed its standard output and still runs"));
}

TEST_F(PipeTesteeTest, ProgramThatLeavesAChildWithItsOutputHasCrashed) {
  EXPECT_TRUE(ended(observe(python(R"(
sys.stdin.readline()
say(ack=True)
if os.fork() == 0: time.sleep(600)
os._exit(7)
)")),
                    Ending::crashed, "the program ended (exit code 7)"));
}

TEST_F(PipeTesteeTest, ChildrenEndWithTheProgram) {
  PipeTestee& forking = testee(python(R"(
if os.fork() == 0: time.sleep(600)
for key, value in told(): say(ack=True)
)"));
  EXPECT_TRUE(ended(forking.observe({{"a"}}), Ending::complete, ""));
  EXPECT_EQ(marked_processes().size(), 2U);
}

TEST_F(PipeTesteeTest, OutputOutsideTheProtocolIsGarbage) {
  struct Case {
    const char* program;
    const char* detail;
  };
  for (
      const Case& c : {
          // A stray print.
          Case{"for key, value in told():\n    if key == 'feed': print('got a chunk')\n    say(ack=True)\n",
               "after chunk 1 of 2: a line is not JSON"},
          // A banner.
          Case{"print('ready')\nfor key, value in told(): say(ack=True)\n", "`ready"},
          // Binary output with NUL bytes, and no line end after the last.
          Case{"sys.stdin.readline()\nos.write(1, b'\\x00\\xff\\x80\\n\\x00')\ntime.sleep(600)\n",
               "`\\x00\\xFF\\x80`"},
          // Two answers to a line.
          Case{"for key, value in told(): write('{\"ack\":true}\\n{\"ack\":true}\\n')\n",
               "after `open`: the program wrote more after its answer: `{\"ack\":true}\\x0A`"},
          // Output after the answer.
          Case{"for key, value in told(): write('{\"ack\":true}\\n{\"out\":\"YQ==\"}\\n')\n",
               "the program wrote more after its answer: `{\"out\":\"YQ==\"}"},
          // A moment after the answer.
          Case{"for key, value in told():\n    say(ack=True)\n    if key == 'end': write('done\\n')\n",
               "after `end`: the program wrote more after its answer: `done\\x0A`"},
          Case{"for key, value in told():\n    say(ack=True)\n    say(ack=True)\n", ""},
          // The answer before the line: this program reads only one byte of it.
          Case{"for key, value in told():\n    say(ack=True)\n    if key == 'open': break\n"
               "while os.read(0, 1): say(ack=True) or time.sleep(600)\n",
               "after chunk 1 of 2: the program answered before it had read the whole line"},
          // Floods.
          Case{
              "sys.stdin.readline()\nsay(ack=True)\nsys.stdin.readline()\nwhile True: os.write(1, b'y' * 65536)\n",
              "the program wrote a line of more than 8392704 bytes: `yyyy"},
          Case{
              "line = json.dumps({'out': base64.b64encode(b'z' * 600000).decode()}).encode() + b'\\n'\n"
              "sys.stdin.readline()\nsay(ack=True)\nsys.stdin.readline()\nwhile True: sys.stdout.buffer.write(line)\n",
              "the program wrote more than 1049088 bytes of output"},
          Case{"while True: os.write(1, b'y\\n' * 1000)\n", "`y"},
      }) {
    SCOPED_TRACE(c.program);
    PipeTestee& bad = testee(python(c.program));
    const Observation seen = bad.observe({{"a", "b"}});
    EXPECT_TRUE(ended(seen, Ending::garbage, c.detail));
    EXPECT_LE(seen.detail.size(), 600U);
  }
}

TEST_F(PipeTesteeTest, LineMayComeInPieces) {
  const Observation seen = observe(python(R"(
for key, value in told():
    for byte in json.dumps({"out": "YQ=="}) + "\r\n" + json.dumps({"ack": True}) + "\n": write(byte)
)"));
  EXPECT_TRUE(ended(seen, Ending::complete, ""));
  EXPECT_EQ(seen.body, "aaaa");
}

TEST_F(PipeTesteeTest, FailedStartIsReported) {
  struct Case {
    std::vector<std::string> command;
    const char* why;
    milliseconds within = std::chrono::seconds(20);
  };
  for (const Case& c : {
           Case{{folder_ + "/no-such-program"}, "no-such-program"},
           Case{{"python3", folder_ + "/no-such-file.py"}, "the program ended (exit code 2)"},
           Case{{"sh", "-c", "echo nothing is installed >&2; exit 9"}, "`nothing is installed`"},
           Case{
               {"sh", "-c", "exec sleep 600"}, "the program did not answer within 500 ms", milliseconds(500)},
       }) {
    SCOPED_TRACE(c.why);
    TargetFile file = target(c.command);
    file.ready_within = c.within;
    const auto started = prepared(file).start();
    ASSERT_FALSE(started);
    EXPECT_NE(describe(started.error()).find(c.why), std::string::npos) << describe(started.error());
  }
  const Observation seen = prepared(python(kEcho)).observe({{"a"}});
  EXPECT_TRUE(ended(seen, Ending::unavailable, "did not start"));
}

TEST_F(PipeTesteeTest, ProgramThatIsGoneMeanwhileIsUnavailable) {
  const std::string program = folder_ + "/program";
  fs::copy_file("/bin/cat", program);
  TargetFile file = target({program});
  PipeTestee& vanishing = testee(file);
  fs::remove(program);
  EXPECT_TRUE(ended(vanishing.observe({{"a"}}), Ending::unavailable, "program"));
}

TEST_F(PipeTesteeTest, ProgramHasStartedIfItAnswersAtAll) {
  for (const char* answer : {R"({"ack":true})", R"({"skip":"no"})", R"({"error":"no"})", "hello"}) {
    EXPECT_TRUE(prepared(shell("read line; echo '" + std::string(answer) + "'; read line")).start())
        << answer;
  }
}

TEST_F(PipeTesteeTest, NewProgramMayTakeItsTime) {
  TargetFile file = python(std::string("time.sleep(1)\n") + kEcho);
  file.timeout = milliseconds(500);
  PipeTestee& slow = testee(file);
  EXPECT_TRUE(ended(slow.observe({{}}), Ending::complete, ""));
}

TEST_F(PipeTesteeTest, RunsInTheFolderOfItsTargetFileOrInstallation) {
  TargetFile file = python(R"(
for key, value in told():
    if key == "end":
        out(("%s %s %s" % (os.getcwd(), os.environ["TIDE"], open(os.environ["HOME"] + "/tide").read())).encode())
    say(ack=True)
)");
  fs::create_directory(folder_ + "/beside");
  file.path = folder_ + "/beside/target.yaml";
  file.env["TIDE"] = "ebb";
  file.env["HOME"] = "{home}";
  file.files["{home}/tide"] = "{dir}";
  const std::string beside = folder_ + "/beside";
  EXPECT_EQ(observe(file).body, beside + " ebb " + beside);

  setenv("SPLITPROOF_TARGETS", (folder_ + "/installed").c_str(), 1);
  file.install = "echo 1.2.3 > version";
  file.version = "cat version";
  PipeTestee& installed = testee(file);
  const std::string dir = folder_ + "/installed/bad";
  EXPECT_EQ(installed.observe({{"a"}}).body, dir + " ebb " + dir);
  EXPECT_EQ(installed.remark(), "1.2.3");
  unsetenv("SPLITPROOF_TARGETS");
}

}  // namespace
}  // namespace splitproof::testee::pipe_testee_test
