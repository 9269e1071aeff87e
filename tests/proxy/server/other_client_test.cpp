// cpp-httplib reads the server's answers: a client that shares no code with it.
#include <gtest/gtest.h>
#include <httplib.h>

#include <string>
#include <thread>

#include "tests/proxy/server/served.hpp"

namespace splitproof::server::other_client_test {
namespace {

// Answers each of this many requests with one stream, one connection after another.
std::thread answering(const Upstream& upstream, int requests) {
  return std::thread([&upstream, requests] {
    for (int i = 0; i < requests; ++i) {
      const UpstreamConnection connection = upstream.accept();
      connection.request();
      connection.begin_stream();
      connection.chunk(text_event("one"));
      connection.chunk(text_event("two") + kFinish);
    }
  });
}

TEST(OtherClient, ReadsStreamsWholeMessagesAndErrorsOnOneConnection) {
  const Served served;
  httplib::Client client("127.0.0.1", served.proxy.port());
  client.set_keep_alive(true);
  std::thread upstream = answering(served.upstream, 3);
  for (int round = 0; round < 3; ++round) {
    const auto answer = client.Post("/v1/messages", round == 1 ? kWhole : kStreamed, "application/json");
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
    EXPECT_EQ(answer->get_header_value("Content-Type"),
              round == 1 ? "application/json" : "text/event-stream");
    EXPECT_NE(answer->body.find("two"), std::string::npos);
    EXPECT_NE(answer->body.find(round == 1 ? "\"stop_reason\"" : "event: message_stop"), std::string::npos);
    const auto health = client.Get("/health");
    ASSERT_TRUE(health);
    EXPECT_EQ(health->body, R"({"status":"ok"})");
    const auto nothing = client.Post("/nowhere", "{}", "application/json");
    ASSERT_TRUE(nothing);
    EXPECT_EQ(nothing->status, 404);
    EXPECT_TRUE(client.Head("/health"));
  }
  upstream.join();
}

TEST(OtherClient, SendsItsBodyInChunks) {
  const Served served;
  httplib::Client client("127.0.0.1", served.proxy.port());
  std::thread upstream = answering(served.upstream, 1);
  const auto answer = client.Post(
      "/v1/messages", httplib::Headers{{"Expect", "100-continue"}},
      [](std::size_t offset, httplib::DataSink& sink) {
        const std::string piece = kStreamed.substr(offset, 7);
        if (piece.empty())
          sink.done();
        else
          sink.write(piece.data(), piece.size());
        return true;
      },
      "application/json");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_NE(answer->body.find("event: message_stop"), std::string::npos);
  upstream.join();
}

}  // namespace
}  // namespace splitproof::server::other_client_test
