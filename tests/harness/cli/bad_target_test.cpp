// `--target FILE` of servers that crash and hang: the findings, the cases that still run, and the expectations.

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::bad_target_test {
namespace {

using nlohmann::json;

// PORT UPSTREAM: passes requests on, after `befall(number of this request, requests in progress, request)`.
constexpr const char* kServer = R"(
import http.client, os, random, socketserver, sys, threading, time
from http.server import BaseHTTPRequestHandler
count = under_way = 0
lock = threading.Lock()
def die(code, words):
    sys.stderr.write(words + '\n')
    sys.stderr.flush()
    os._exit(code)
class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def log_message(self, *anything): pass
    def do_GET(self):
        self.send_response(204)
        self.end_headers()
    def do_POST(self):
        global count, under_way
        self.close_connection = True
        body = self.rfile.read(int(self.headers['content-length']))
        with lock:
            count += 1
            under_way += 1
            befall(count, under_way, body)
        answer = http.client.HTTPConnection(sys.argv[2])
        answer.request('POST', '/v1/chat/completions', body)
        answer = answer.getresponse()
        self.send_response(answer.status)
        self.send_header('content-type', answer.headers['content-type'])
        self.send_header('transfer-encoding', 'chunked')
        self.end_headers()
        for piece in iter(lambda: answer.read1(65536), b''):
            self.wfile.write(b'%x\r\n%s\r\n' % (len(piece), piece))
        with lock: under_way -= 1
        self.wfile.write(b'0\r\n\r\n')
class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64
Server(('127.0.0.1', int(sys.argv[1])), Handler).serve_forever()
)";

class BadTarget : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "python3 is not installed";
  }

  // Returns the path of a target file whose `befall` has this body.
  std::string target(const std::string& befall, const std::string& more = "") const {
    folder_.put("server.py", "def befall(count, under_way, body):\n    " + befall + "\n" + kServer);
    return folder_.put("bad.yaml",
                       "target: bad\nkind: http\nclient: openai.chat\nupstream: openai.chat\n"
                       "command: [python3, server.py, \"{port}\", \"127.0.0.1:{upstream_port}\"]\n"
                       "listen: \"http://127.0.0.1:{port}\"\n"
                       "request: {path: /v1/chat/completions, model: m}\nready: {path: /}\n" +
                           more);
  }

  Finished run(const std::string& target, const std::string& only, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"run",      "--target", target,     "--only", only,
                                       "--splits", "0",        "--recuts", "0"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    Start start;
    start.environment = {"SPLITPROOF_TARGETS=" + folder_.at("targets")};
    return splitproof(arguments, start);
  }

  const Folder folder_;
};

// True if the output has this text; the console folds long texts.
bool says(const Finished& finished, const std::string& text) {
  const std::string fold = "\n" + std::string(12, ' ');
  std::string unfolded = finished.out;
  for (std::size_t at = 0; (at = unfolded.find(fold, at)) != std::string::npos;)
    unfolded.replace(at, fold.size(), " ");
  return unfolded.find(text) != std::string::npos;
}

constexpr const char* kFew = "openai.chat/text-plain*chat&gen=[ewr]*";    // four
constexpr const char* kMore = "openai.chat/text-plain*chat&gen=seam:1*";  // a dozen

TEST_F(BadTarget, RareDeathIsFoundAndUnstable) {
  const std::string every_third = target("if count % 3 == 0: die(3, 'three is \\x1b[31menough')");
  const Finished finished = run(every_third, kFew, {"--write-expect", folder_.at("known.txt")});
  EXPECT_EQ(finished.code, 1) << finished.err << finished.out;
  EXPECT_TRUE(says(finished, "[RUN-01, must]")) << finished.out;
  EXPECT_TRUE(says(finished, " times (exit code 3), first in openai.chat/text-plain?client=openai.chat&"))
      << finished.out;
  EXPECT_TRUE(says(finished, "; its last output: three is enough\n")) << finished.out;
  EXPECT_TRUE(says(finished, "  tries     unstable: in ")) << finished.out;
  EXPECT_TRUE(last_line(finished.out).ends_with(" 1 finding")) << finished.out;
  EXPECT_TRUE(folder_.text("known.txt").starts_with("DIES bad # ")) << folder_.text("known.txt");
  const Finished expected = run(every_third, kFew, {"--expect", folder_.at("known.txt")});
  EXPECT_EQ(expected.code, 0) << expected.out;
  EXPECT_TRUE(last_line(expected.out).ends_with(" 0 findings (1 expected)")) << expected.out;
}

TEST_F(BadTarget, DeathAfterACompleteAnswerIsOfItsCase) {
  const std::string late =
      target("threading.Timer(0.05, die, (3, 'late')).start() if count == 1 else time.sleep(9)");
  const Finished finished = run(late, kFew);
  EXPECT_EQ(finished.code, 1) << finished.err << finished.out;
  EXPECT_TRUE(says(finished, "the program ended after its answer; it ended with exit code 3"))
      << finished.out;
  EXPECT_TRUE(says(finished, "  reproduce splitproof replay 'openai.chat/text-plain?")) << finished.out;
}

TEST_F(BadTarget, RandomDeathIsFound) {
  const Finished finished = run(
      target(
          "if random.Random(os.getpid() * 97 + count).random() < 0.5: os.kill(os.getpid(), 11); time.sleep(9)"),
      kMore);
  EXPECT_EQ(finished.code, 1) << finished.err << finished.out;
  EXPECT_TRUE(says(finished, "[RUN-01, must]")) << finished.out;
  EXPECT_TRUE(says(finished, "signal 11")) << finished.out;
}

TEST_F(BadTarget, DeathInParallelExchangesIsFound) {
  const Finished finished = run(target("if under_way > 1: die(4, 'two is a crowd')", "max_concurrency: 2\n"),
                                "openai.chat/text-[ab]*chat&gen=[we]*", {"--jobs", "2"});
  EXPECT_EQ(finished.code, 1) << finished.err << finished.out;
  EXPECT_TRUE(says(finished, " (exit code 4), ")) << finished.out;
  EXPECT_TRUE(last_line(finished.out).ends_with(" 1 finding")) << finished.out;
}

TEST_F(BadTarget, EndOfAHangingTargetIsNoDeath) {
  const Finished finished = run(target("if count == 4: time.sleep(600)", "timeout: 1s\n"), kFew);
  EXPECT_TRUE(says(finished, "[RUN-02, must]")) << finished.out;
  EXPECT_FALSE(says(finished, "[RUN-01, must]")) << finished.out;
  EXPECT_TRUE(says(finished, ", 1 finding")) << finished.out;
}

TEST_F(BadTarget, PermanentHangEndsTheCampaign) {
  const Finished finished =
      run(target("time.sleep(600)", "timeout: 1s\n"), "openai.chat/text-*chat&gen=w*",
          {"--target", "reference", "--report", "junit:" + folder_.at("r.xml"), "--report",
           "jsonl:" + folder_.at("r.jsonl"), "--report", "md:" + folder_.at("r.md")});
  EXPECT_EQ(finished.code, 1) << finished.err << finished.out;
  EXPECT_TRUE(says(finished, "[RUN-02, must]")) << finished.out;
  EXPECT_TRUE(says(finished, "it hangs on every request, so ")) << finished.out;
  EXPECT_TRUE(says(finished, "\nnot run, as bad hangs: ")) << finished.out;
  EXPECT_TRUE(says(finished, " on bad: the target hangs, so splitproof did not run this recording\n"))
      << finished.out;
  const Finished again = splitproof(
      {"replay", "openai.chat/text-plain?client=openai.chat&gen=whole", "--target", folder_.at("bad.yaml")});
  EXPECT_EQ(again.code, 1) << again.err << again.out;
  EXPECT_TRUE(says(again, "RUN-02 must: no byte arrived for 1 s")) << again.out;
  const std::string verdict = last_line(finished.out);
  EXPECT_NE(verdict.find("3 findings, "), std::string::npos) << verdict;
  EXPECT_NE(verdict.find(" without a judged rule, "), std::string::npos) << verdict;
  EXPECT_TRUE(verdict.ends_with(" cases not run")) << verdict;
  EXPECT_NE(folder_.text("r.xml").find("no rule was judged: the target hangs"), std::string::npos);
  EXPECT_NE(folder_.text("r.md").find("it hangs on every request"), std::string::npos);
  const auto lines = lines_of(folder_.text("r.jsonl"));
  EXPECT_GT(json::parse(lines.back())["unrun"], 0);
  EXPECT_EQ(json::parse(lines.back())["unavailable"], 0);
}

// With ten minutes for each case, waiting would exceed the test's time limit.
TEST_F(BadTarget, HangAtTheTimeLimitIsNotBlamed) {
  const Finished finished = run(target("if count > 3: time.sleep(600)", "timeout: 600s\n"),
                                "openai.chat/text-*chat&gen=w*", {"--for", "5s"});
  EXPECT_EQ(finished.code, 1) << finished.err << finished.out;
  EXPECT_TRUE(says(finished, "stopped after 5s")) << finished.out;
  EXPECT_TRUE(says(finished, " 0 findings")) << finished.out;
  EXPECT_FALSE(says(finished, "not available")) << finished.out;
}

TEST_F(BadTarget, HangsOnToolsDoNotSkipTextRecordings) {
  // In order of names: text, then more calls than are tried in a row, then one more text.
  const std::string corpus = (source_root() / "corpus" / "openai.chat").string() + "/";
  for (const char* name : {"text-plain", "tool-plain", "tool-parallel", "tool-id-late", "tool-after-text"})
    folder_.put("c/" + std::string(name) + ".rec.jsonl", folder_.text(corpus + name + ".rec.jsonl"));
  folder_.put("c/zz.rec.jsonl", folder_.text(corpus + "text-plain.rec.jsonl"));
  const Finished finished = run(target("if b'\"tools\"' in body: time.sleep(600)", "timeout: 1s\n"),
                                "*chat&gen=w*", {"--corpus", folder_.at("c")});
  EXPECT_EQ(finished.code, 1) << finished.err << finished.out;
  EXPECT_FALSE(says(finished, "no rule was judged")) << finished.out;
  EXPECT_FALSE(says(finished, "it hangs on every request")) << finished.out;
  EXPECT_NE(last_line(finished.out).find("VIOLATES  6 recordings, "), std::string::npos) << finished.out;
}

TEST_F(BadTarget, DeathInAReplayIsReportedThere) {
  const Finished finished = splitproof({"replay", "openai.chat/text-plain?client=openai.chat&gen=whole",
                                        "--target", target("if count == 3: die(3, 'three')")});
  EXPECT_EQ(finished.code, 1) << finished.err << finished.out;
  EXPECT_TRUE(says(finished, "RUN-01 must: the target crashed once (exit code 3)")) << finished.out;
}

TEST_F(BadTarget, FailedStartIsInEveryReport) {
  const std::string file = target("pass");
  folder_.put("server.py", "import sys\nsys.exit('no \\x1b[31mlicence')\n");
  for (const bool alone : {true, false}) {
    SCOPED_TRACE(alone);
    std::vector<std::string> more{"--report", "junit:" + folder_.at("r.xml"),
                                  "--report", "jsonl:" + folder_.at("r.jsonl"),
                                  "--report", "md:" + folder_.at("r.md")};
    if (!alone) more.insert(more.end(), {"--target", "reference"});
    const Finished finished = run(file, "openai.chat/text-plain*gen=whole", more);
    EXPECT_EQ(finished.code, 4) << finished.err << finished.out;
    EXPECT_NE(finished.err.find("\n  no licence"), std::string::npos) << finished.err;
    EXPECT_EQ(finished.err.find('\033'), std::string::npos) << "a target must not command the terminal";
    const std::string junit = folder_.text("r.xml");
    EXPECT_NE(junit.find("<testcase classname=\"bad\" name=\"available\">\n      <error message=\""),
              std::string::npos)
        << junit;
    EXPECT_NE(junit.find("exit code 1"), std::string::npos) << junit;
    EXPECT_NE(folder_.text("r.md").find("`bad` was not tested to the end: "), std::string::npos);
    const json header = json::parse(lines_of(folder_.text("r.jsonl")).front());
    EXPECT_NE(header["untested"]["bad"].get<std::string>().find("exit code 1"), std::string::npos) << header;
  }
}

}  // namespace
}  // namespace splitproof::cli::bad_target_test
