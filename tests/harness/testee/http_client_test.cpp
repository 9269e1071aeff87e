#include "harness/testee/http_client.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "harness/testee/message_reader.hpp"
#include "tests/harness/testee/raw_server.hpp"
#include "tests/harness/testee/reading_client.hpp"

namespace splitproof::testee::http_client_test {
namespace {

const std::string kChunkedHead =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

// Tests choose short timeouts if the client has to give up, and long ones otherwise.
ClientTimeouts long_timeouts() { return {kTimeout, 2 * kTimeout, kTimeout}; }

Reply reply_of(const RawServer& server, ClientTimeouts timeouts = long_timeouts(),
               const ClientEvents& events = {}) {
  const StopToken nobody_leaves;
  return post(*http_address(server.base_url()), {"/v1/messages", {{"x-api-key", "k"}}, "{}"}, timeouts,
              events, nobody_leaves);
}

// Returns the client's view of a server that sends these bytes and then closes.
Reply reply_to(std::string bytes) {
  const RawServer server([&](RawConnection& connection, const UpstreamRequest&) { connection.send(bytes); });
  return reply_of(server);
}

TEST(HttpClient, SendsWhatItWasTold) {
  const RawServer server([](RawConnection& connection, const UpstreamRequest&) {
    connection.send("HTTP/1.1 201 Created\r\nContent-Length: 2\r\nX-Two: a\r\nx-two:  b \r\n\r\nok");
  });
  const StopToken nobody_leaves;
  const HttpAddress endpoint = *http_address(server.base_url() + "/proxy/");
  const Reply reply = post(endpoint, {"/v1/messages?beta=true", {{"X-Api-Key", "sk"}}, "{\"a\":1}"},
                           long_timeouts(), {}, nobody_leaves);
  EXPECT_EQ(reply.ending, Ending::complete) << reply.detail;
  EXPECT_EQ(reply.body, "ok");
  EXPECT_EQ(reply.http->status, 201);
  EXPECT_EQ(reply.http->headers, (Headers{{"Content-Length", "2"}, {"X-Two", "a"}, {"x-two", "b"}}));
  EXPECT_FALSE(reply.http->chunked);
  ASSERT_EQ(server.requests().size(), 1u);
  const UpstreamRequest request = server.requests()[0];
  EXPECT_EQ(request.broken, "");
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.target, "/proxy/v1/messages?beta=true");
  EXPECT_EQ(request.body, "{\"a\":1}");
  EXPECT_EQ(*find_header(request.headers, "x-api-key"), "sk");
  EXPECT_EQ("http://" + *find_header(request.headers, "host"), server.base_url());
}

TEST(HttpClient, ShowsTheFraming) {
  const Reply reply = reply_to(kChunkedHead + "5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n");
  EXPECT_EQ(reply.ending, Ending::complete) << reply.detail;
  EXPECT_EQ(reply.body, "hello!");
  EXPECT_TRUE(reply.http->chunked);
  EXPECT_EQ(reply.http->chunk_ends, (std::vector<std::size_t>{5, 6}));
  EXPECT_EQ(reply.http->final_chunks, 1u);
  EXPECT_EQ(reply.http->trailing, 0u);
}

TEST(HttpClient, SaysHowAnAnswerBreaks) {
  struct Case {
    std::string bytes;
    Ending ending;
    std::string body;
    std::string detail;
  };
  for (const Case& c : {
           Case{kChunkedHead + "2\r\nhi\r\n", Ending::cut, "hi",
                "the connection was closed before the final chunk"},
           Case{kChunkedHead + "5\r\nhel", Ending::cut, "hel", "the connection was closed inside a chunk"},
           Case{kChunkedHead + "2\r\nhi!\r\n0\r\n\r\n", Ending::cut, "hi",
                "its chunked framing breaks at byte 5 of it: a chunk is longer than its size"},
           Case{"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhel", Ending::cut, "hel",
                "the connection was closed 2 bytes before the end that content-length announces"},
           Case{"HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello", Ending::cut, "",
                "its content-length is not one number"},
           Case{"HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n", Ending::cut, "",
                "its transfer coding is not chunked"},
           Case{"", Ending::cut, "", "the connection was closed before an answer began"},
           Case{"HTTP/1.1 200 OK\r\ncontent-le", Ending::cut, "",
                "the connection was closed inside the head of the answer"},
           Case{"HTTP/1.1 200 OK\r\n\r\nto the end", Ending::complete, "to the end", ""},
           Case{"HTTP/1.0 200\r\n\r\n", Ending::complete, "", ""},
           Case{"HTTP/1.1 204 No Content\r\ntransfer-encoding: chunked\r\n\r\n", Ending::complete, "", ""},
           Case{"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\n"
                "content-length: 2\r\n\r\nok",
                Ending::complete, "ok", ""},
           Case{"event: message_start\ndata: {}\n\n", Ending::garbage, "event: message_start\ndata: {}\n\n",
                "it does not begin like an HTTP response"},
           Case{"HTTP/2 200 OK\r\n\r\n", Ending::garbage, "HTTP/2 200 OK\r\n\r\n",
                "it does not begin like an HTTP response"},
           Case{"HTTP/1.1 ok\r\n\r\n", Ending::garbage, "HTTP/1.1 ok\r\n",
                "its first line is not VERSION STATUS REASON"},
           Case{"HTTP/1.1 200 OK\ncontent-length: 0\n\n", Ending::garbage, "HTTP/1.1 200 OK\n",
                "a line of its head ends without CR"},
           Case{"HTTP/1.1 200 OK\r\nno field\r\n\r\n", Ending::garbage, "HTTP/1.1 200 OK\r\nno field\r\n",
                "a line of its head is not a header field"},
       }) {
    SCOPED_TRACE(c.bytes);
    const Reply reply = reply_to(c.bytes);
    EXPECT_EQ(reply.ending, c.ending);
    EXPECT_EQ(reply.body, c.body);
    EXPECT_EQ(reply.detail, c.detail);
  }
}

TEST(HttpClient, ShowsBytesBehindTheEnd) {
  struct Case {
    std::string bytes;
    std::string later;
    std::size_t final_chunks;
    std::size_t trailing;
  };
  for (const Case& c : {
           Case{kChunkedHead + "2\r\nhi\r\n0\r\n\r\n0\r\n\r\n", "", 2, 5},
           Case{kChunkedHead + "2\r\nhi\r\n0\r\n\r\n", "0\r\n\r\n", 2, 5},
           Case{kChunkedHead + "2\r\nhi\r\n0\r\n", "\r\nXX", 1, 2},
           Case{"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi!", "", 0, 1},
           Case{"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi", "!", 0, 1},
           Case{"HTTP/1.1 204 OK\r\n\r\n", "hi!", 0, 3},
       }) {
    SCOPED_TRACE(c.bytes + "|" + c.later);
    const RawServer server([&](RawConnection& connection, const UpstreamRequest&) {
      connection.send(c.bytes);
      std::this_thread::sleep_for(std::chrono::milliseconds(c.later.empty() ? 0 : 20));
      connection.send(c.later);
    });
    const Reply reply = reply_of(server);
    EXPECT_EQ(reply.ending, Ending::complete) << reply.detail;
    EXPECT_EQ(reply.http->final_chunks, c.final_chunks);
    EXPECT_EQ(reply.http->trailing, c.trailing);
    EXPECT_EQ(reply.body, c.bytes.find("204") == std::string::npos ? "hi" : "");
  }
}

TEST(HttpClient, DoesNotWaitLongForAConnectionThatStaysOpen) {
  const RawServer server([](RawConnection& connection, const UpstreamRequest&) {
    connection.send(kChunkedHead + "2\r\nhi\r\n0\r\n\r\n");
    connection.wait_for_end();
  });
  ClientTimeouts timeouts = long_timeouts();
  timeouts.closing = std::chrono::milliseconds(1);
  const Reply reply = reply_of(server, timeouts);
  EXPECT_EQ(reply.ending, Ending::complete);
  EXPECT_EQ(reply.body, "hi");
}

TEST(HttpClient, AResetIsNoEnd) {
  struct Case {
    std::string bytes;
    std::string detail;
  };
  for (const Case& c :
       {Case{"", "the connection was reset before an answer began"},
        Case{"HTTP/1.1 200 OK\r\n\r\nto the", "the connection was reset before the end of the body"},
        Case{kChunkedHead + "5\r\nhe", "the connection was reset inside a chunk"}}) {
    SCOPED_TRACE(c.bytes);
    const RawServer server([&](RawConnection& connection, const UpstreamRequest&) {
      connection.send(c.bytes);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));  // a reset may discard unread bytes
      connection.reset();
    });
    const Reply reply = reply_of(server);
    EXPECT_EQ(reply.ending, Ending::cut);
    EXPECT_EQ(reply.detail, c.detail);
  }
}

TEST(HttpClient, SilenceIsAHang) {
  for (const std::string& bytes : {std::string(), kChunkedHead, kChunkedHead + "2\r\nhi\r\n"}) {
    SCOPED_TRACE(bytes);
    const RawServer server([&](RawConnection& connection, const UpstreamRequest&) {
      connection.send(bytes);
      connection.wait_for_end();
    });
    ClientTimeouts timeouts = long_timeouts();
    timeouts.silence = std::chrono::milliseconds(50);
    const Reply reply = reply_of(server, timeouts);
    EXPECT_EQ(reply.ending, Ending::hung);
    EXPECT_EQ(reply.detail, "no byte arrived for 0.050 s");
    EXPECT_EQ(reply.http.has_value(), !bytes.empty());
  }
}

TEST(HttpClient, AnAnswerWithoutEndIsAHang) {
  const RawServer server([](RawConnection& connection, const UpstreamRequest&) {
    connection.send(kChunkedHead);
    while (connection.send("1\r\n:\r\n") &&
           sleep_until(connection.stop(), within(std::chrono::milliseconds(5))) == Io::late) {
    }
  });
  ClientTimeouts timeouts = long_timeouts();
  timeouts.whole = std::chrono::milliseconds(100);
  const Reply reply = reply_of(server, timeouts);
  EXPECT_EQ(reply.ending, Ending::hung);
  EXPECT_EQ(reply.detail, "the answer did not end within 0.100 s");
}

TEST(HttpClient, SilenceThatIsNotTheTesteesIsExcused) {
  std::atomic<bool> go = false;
  const RawServer server([&](RawConnection& connection, const UpstreamRequest&) {
    while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    connection.send("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
  });
  ClientTimeouts timeouts = long_timeouts();
  timeouts.silence = std::chrono::milliseconds(20);
  int asked = 0;
  ClientEvents events;
  events.excused = [&] {
    if (++asked > 10) go = true;
    return std::chrono::steady_clock::now();
  };
  const Reply reply = reply_of(server, timeouts, events);
  EXPECT_EQ(reply.ending, Ending::complete) << reply.detail;
}

TEST(HttpClient, NobodyListensIsACrash) {
  std::string url;
  {
    const RawServer server([](RawConnection&, const UpstreamRequest&) {});
    url = server.base_url();
  }
  const StopToken nobody_leaves;
  const Reply reply = post(*http_address(url), {"/", {}, ""}, long_timeouts(), {}, nobody_leaves);
  EXPECT_EQ(reply.ending, Ending::crashed);
  EXPECT_EQ("http://" + reply.detail.substr(reply.detail.rfind(' ') + 1), url);
  EXPECT_FALSE(reply.http.has_value());
}

TEST(HttpClient, LeavesWhenItIsTold) {
  std::atomic<bool> gone = false;
  const RawServer server([&](RawConnection& connection, const UpstreamRequest&) {
    connection.send(kChunkedHead + "2\r\nhi\r\n");
    gone = connection.wait_for_end();
  });
  StopToken leave;
  ClientEvents events;
  events.read = [&](std::string_view body) {
    if (body == "hi") leave.request_stop();
  };
  const Reply reply = post(*http_address(server.base_url()), {"/", {}, "{}"}, long_timeouts(), events, leave);
  EXPECT_EQ(reply.ending, Ending::left);
  EXPECT_EQ(reply.body, "hi");
  EXPECT_EQ(reply.http->status, 200);
  const Deadline deadline = within(kTimeout);
  while (!gone && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(gone);
}

// The server waits for each report, so there is one for each write.
TEST(HttpClient, TellsOfEveryRead) {
  std::atomic<std::size_t> told = 0;
  const RawServer server([&](RawConnection& connection, const UpstreamRequest&) {
    connection.send("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n");
    for (std::size_t i = 0; i < 3; ++i) {
      connection.send("a");
      while (told <= i) std::this_thread::yield();
    }
  });
  ClientEvents events;
  std::vector<std::string> bodies;
  events.read = [&](std::string_view body) {
    bodies.emplace_back(body);
    ++told;
  };
  const Reply reply = reply_of(server, long_timeouts(), events);
  EXPECT_EQ(bodies, (std::vector<std::string>{"a", "aa", "aaa"}));
  ASSERT_EQ(reply.http->reads.size(), 3u);
  double last = reply.http->head_at;
  EXPECT_GT(last, 0);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(reply.http->reads[i].end, i + 1);
    EXPECT_GE(reply.http->reads[i].at, last);
    last = reply.http->reads[i].at;
  }
  EXPECT_GE(reply.http->ended_at, last);
}

TEST(MessageReader, DependsOnTheBytesAlone) {
  for (const std::string& wire :
       {"HTTP/1.1 100 Continue\r\n\r\n" + kChunkedHead + "2\r\nhi\r\n0\r\n\r\n0\r\n\r\n",
        std::string("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabcde"),
        std::string("HTTP/1.1 200 OK\r\n\r\nabc"), std::string("HTTP/1.0 204 X\r\n\r\nabc"),
        kChunkedHead + "2\r\nhi!"}) {
    SCOPED_TRACE(wire);
    constexpr std::size_t kPlenty = 1000;
    MessageReader whole(kPlenty);
    whole.feed(wire, 1);
    for (std::size_t i = 0; i <= wire.size(); ++i) {
      MessageReader reader(kPlenty);
      reader.feed(std::string(wire, 0, i), 1);
      reader.feed(std::string(wire, i), 1);
      reader.finish(false, 2);
      MessageReader ended = whole;
      ended.finish(false, 2);
      ASSERT_EQ(reader.ending(), ended.ending()) << i;
      ASSERT_EQ(reader.detail(), ended.detail()) << i;
      ASSERT_EQ(reader.body(), ended.body()) << i;
      std::optional<HttpMessage> message = reader.message();
      std::optional<HttpMessage> expected = ended.message();
      ASSERT_TRUE(message && expected) << i;
      message->reads.clear();  // these depend on the split
      expected->reads.clear();
      ASSERT_EQ(*message, *expected) << i;
    }
  }
}

}  // namespace
}  // namespace splitproof::testee::http_client_test
