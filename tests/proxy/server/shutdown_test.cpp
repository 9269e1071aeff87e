// The end of the server: the last answers of its clients, and that nothing delays it.

#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "tests/proxy/server/served.hpp"

namespace splitproof::server::shutdown_test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Sets the reaction to a hang-up of programs that start meanwhile.
class HangUps {
 public:
  explicit HangUps(sighandler_t action) : before_(std::signal(SIGHUP, action)) {}
  ~HangUps() { std::signal(SIGHUP, before_); }
  HangUps(const HangUps&) = delete;
  HangUps& operator=(const HangUps&) = delete;

 private:
  sighandler_t before_;
};

// An open stream, and a request whose upstream has sent nothing.
struct UnderWay {
  explicit UnderWay(const Served& served) : streaming(served.proxy.port()), waiting(served.proxy.port()) {
    streaming.post(kMessages, kStreamed);
    connection = served.upstream.accept();
    connection.request();
    connection.begin_stream();
    connection.chunk(text_event("first"));
    EXPECT_TRUE(read_text(streaming, "first"));
    waiting.post(kMessages, kStreamed);
    silent = served.upstream.accept();
    silent.request();
  }

  // Expects that both ended with an error about the stop.
  void expect_stopped() {
    streaming.read_all();
    EXPECT_TRUE(streaming.whole());
    EXPECT_TRUE(contains(streaming.body(), "event: error\n"));
    EXPECT_TRUE(contains(streaming.body(), "the proxy is shutting down"));
    waiting.read_all();
    EXPECT_EQ(waiting.status(), 503);
    EXPECT_TRUE(contains(waiting.body(), "the proxy is shutting down"));
    EXPECT_TRUE(connection.peer_closes());
    EXPECT_TRUE(silent.peer_closes());
  }

  Client streaming;
  Client waiting;
  UpstreamConnection connection{Socket()};
  UpstreamConnection silent{Socket()};
};

TEST(Shutdown, EndsStreamsWithAnErrorWhenTheirTimeIsOver) {
  const HangUps heard(SIG_DFL);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    SCOPED_TRACE(signal);
    Served served("timeouts: {shutdown: 50ms}\n");
    UnderWay under_way(served);
    EXPECT_EQ(served.proxy.end(signal), 0);
    under_way.expect_stopped();
  }
}

TEST(Shutdown, ASecondSignalWaitsForNobody) {
  const HangUps heard(SIG_DFL);
  const int signals[] = {SIGTERM, SIGINT, SIGHUP};
  for (const int first : signals) {
    for (const int second : signals) {
      SCOPED_TRACE(std::to_string(first) + " and " + std::to_string(second));
      Served served("timeouts: {shutdown: 20m}\n");
      const Client idle(served.proxy.port());
      UnderWay under_way(served);
      served.proxy.send(first);
      EXPECT_TRUE(idle.socket().peer_closes());  // the server has seen it
      EXPECT_EQ(served.proxy.end(second), 0);
      under_way.expect_stopped();
    }
  }
}

// The state under `nohup`.
TEST(Shutdown, AHangUpThatIsIgnoredStaysIgnored) {
  const HangUps ignored(SIG_IGN);
  Served served;
  served.proxy.send(SIGHUP);
  auto [client, connection, request] = served.ask();
  connection.begin_stream();
  connection.chunk(text_event("served") + kFinish);
  EXPECT_TRUE(read_text(client, "served"));
  EXPECT_EQ(served.proxy.end(SIGTERM), 0);
}

TEST(Shutdown, StreamsThatEndInTimeAreWholeAndNothingElseIsWaitedFor) {
  Served served("timeouts: {shutdown: 20m}\n");
  Client idle(served.proxy.port());
  UnderWay under_way(served);
  served.proxy.send(SIGTERM);
  EXPECT_TRUE(idle.socket().peer_closes());
  for (const UpstreamConnection* connection : {&under_way.silent, &under_way.connection}) {
    if (connection == &under_way.silent) connection->begin_stream();
    connection->chunk(text_event("second") + kFinish);
    connection->last_chunk();
  }
  for (Client* client : {&under_way.waiting, &under_way.streaming}) {
    client->read_all();
    EXPECT_TRUE(client->whole());
    EXPECT_TRUE(contains(client->body(), "second"));
    EXPECT_TRUE(contains(client->body(), "event: message_stop\n"));
    EXPECT_TRUE(client->socket().peer_closes());
  }
  EXPECT_EQ(served.proxy.end(0), 0);
}

}  // namespace
}  // namespace splitproof::server::shutdown_test
