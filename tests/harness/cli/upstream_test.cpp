// The command that replaces the provider, run as a user runs it. Its first line has the address, and the tests' own
// client reads its answers.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "tests/harness/cli/process.hpp"
#include "tests/harness/testee/reading_client.hpp"

namespace splitproof::cli::upstream_test {
namespace {

using Got = testee::ReadingClient::Got;

// A splitproof upstream that serves until it is stopped.
class Serving {
 public:
  explicit Serving(const std::string& arguments) {
    const std::string command = "echo $$; exec \"$SPLITPROOF_PROGRAM\" upstream --listen 127.0.0.1:0 " +
                                arguments + " 2>" + folder_.at("err");
    out_ = popen(command.c_str(), "r");
    pid_ = std::atoi(line().c_str());
    url_ = line();
  }
  ~Serving() { stop(SIGKILL); }

  const std::string& url() const { return url_; }

  // Returns its exit code, or 128 plus the signal that killed it, after its end. Signal 0 only waits.
  int stop(int signal) {
    if (out_ == nullptr) return -1;
    if (signal != 0) kill(pid_, signal);
    const int status = pclose(std::exchange(out_, nullptr));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  std::string err() const { return folder_.text("err"); }

 private:
  std::string line() {
    std::array<char, 256> text{};
    if (std::fgets(text.data(), text.size(), out_) == nullptr) return {};
    const std::string line(text.data());
    return line.substr(0, line.find('\n'));
  }

  Folder folder_;
  std::FILE* out_ = nullptr;
  pid_t pid_ = 0;
  std::string url_;
};

TEST(Upstream, ServesACaseWithItsCuts) {
  const std::string id = "openai.chat/text-plain";
  Serving serving("'" + id + "?cuts=5,118' --requests 2");
  ASSERT_TRUE(serving.url().starts_with("http://127.0.0.1:")) << serving.url() << serving.err();
  testee::ReadingClient client(serving.url());
  client.post("/v1/chat/completions", "{}", "connection: close\r\n");
  EXPECT_EQ(client.read_all(), Got::end);
  testee::HttpResponse response = testee::read_response(client.text(), true);
  EXPECT_TRUE(response.complete);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.headers["content-type"], "text/event-stream");
  EXPECT_EQ(response.chunks, (std::vector<std::size_t>{5, 113, response.body.size() - 118}));
  EXPECT_TRUE(response.body.starts_with("data: {")) << response.body;
  EXPECT_TRUE(response.body.ends_with("data: [DONE]\n\n")) << response.body;
  testee::ReadingClient other(serving.url());
  other.send("nonsense\r\n");
  EXPECT_EQ(other.read_one_response().status, 400);
  EXPECT_EQ(serving.stop(0), 0);
  EXPECT_TRUE(serving.err().starts_with("POST /v1/chat/completions, 2 bytes: 200, 5 writes, finished"))
      << serving.err();
  EXPECT_NE(serving.err().find("broken request"), std::string::npos) << serving.err();
}

TEST(Upstream, ServesUntilASignal) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Serving serving("openai.chat/text-plain");
    testee::ReadingClient idle(serving.url());
    for (int i = 0; i < 3; ++i) {
      testee::ReadingClient client(serving.url());
      client.send("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
      EXPECT_TRUE(client.read_one_response().complete);
    }
    EXPECT_EQ(serving.stop(signal), 128 + signal);
    EXPECT_EQ(lines_of(serving.err()).size(), 3u) << serving.err();
  }
}

TEST(Upstream, EndsAsTheRecordingDid) {
  const auto end_of = [](const std::string& id, const std::string& options) {
    Serving serving(id + " " + options);
    testee::ReadingClient client(serving.url());
    client.post("/", "{}", "connection: close\r\n");
    const Got got = client.read_all();
    EXPECT_NE(client.text(), "");
    return std::pair(got, testee::read_response(client.text(), got == Got::end).complete);
  };
  std::vector<std::string> closed;
  std::vector<std::string> broken_off;
  for (const std::string& line : lines_of(splitproof({"list", "recordings"}).out)) {
    const std::string id = line.substr(0, line.find(' '));
    if (line.find(" closed ") != std::string::npos) closed.push_back(id);
    if (line.find(" reset ") != std::string::npos) broken_off.push_back(id);
  }
  ASSERT_FALSE(closed.empty());
  ASSERT_FALSE(broken_off.empty());
  EXPECT_EQ(end_of("openai.chat/text-plain", ""), std::pair(Got::end, true));
  EXPECT_EQ(end_of("openai.chat/text-plain", "--framing content-length"), std::pair(Got::end, true));
  EXPECT_EQ(end_of("openai.chat/text-plain", "--packing in-size"), std::pair(Got::end, true));
  EXPECT_EQ(end_of("'openai.chat/text-plain?fault=reset@118'", ""), std::pair(Got::reset, false));
  EXPECT_EQ(end_of("'openai.chat/text-plain?fault=close@118&recut=char'", ""), std::pair(Got::end, false));
  EXPECT_EQ(end_of(closed.front(), ""), std::pair(Got::end, false));
  EXPECT_EQ(end_of(closed.front(), "--framing close"), std::pair(Got::end, true));
  EXPECT_EQ(end_of(broken_off.front(), "--framing close"), std::pair(Got::reset, false));
}

}  // namespace
}  // namespace splitproof::cli::upstream_test
