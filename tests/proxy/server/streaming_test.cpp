// A stream in the server over real sockets. The file is long because each promise needs its own order of steps by
// client and upstream.

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "proxy/server/upstream_channel.hpp"
#include "tests/proxy/server/recordings.hpp"
#include "tests/proxy/server/served.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::server::streaming_test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
  return n;
}

// Sends a recording's body in its chunks, with the given end.
void play(UpstreamConnection connection, const recording::Recording& recording, recording::End end,
          Client& client) {
  connection.begin_stream();
  std::size_t begin = 0;
  for (const recording::Arrival& arrival : recording.arrivals) {
    connection.chunk(std::string_view(recording.body).substr(begin, arrival.end - begin));
    begin = arrival.end;
  }
  connection.delivered();
  if (end == recording::End::complete) connection.last_chunk();
  if (end == recording::End::closed) connection.close();
  if (end == recording::End::reset) connection.reset();
  client.read_all();  // while a stalled connection is still open
}

// Expects a client's answer for the translator's `events`.
void expect_answer(const Client& client, const std::string& events) {
  const std::string error = "event: error\ndata: ";
  EXPECT_TRUE(client.whole());
  EXPECT_EQ(client.after(), "");
  if (events.compare(0, error.size(), error) == 0) {
    EXPECT_GE(client.status(), 400);
    EXPECT_EQ(client.header("content-type"), "application/json");
    EXPECT_EQ(client.body() + "\n\n", events.substr(error.size()));
  } else {
    EXPECT_EQ(client.status(), 200);
    EXPECT_EQ(client.header("content-type"), "text/event-stream");
    EXPECT_EQ(client.header("content-length"), "");
    EXPECT_EQ(client.header("content-encoding"), "");
    EXPECT_EQ(client.body(), events);
  }
}

TEST(Streaming, EveryRecordingComesOutAsTheTranslatorHasIt) {
  const Served served;
  const auto recordings = corpus();
  ASSERT_GE(recordings.size(), 100U);
  std::size_t played = 0;
  for (const recording::Recording& recording : sampled(recordings, 4)) {
    for (const recording::End end : {recording.end, recording::End::closed, recording::End::reset}) {
      SCOPED_TRACE(recording.id + ", " + std::string(name(end)));
      if (end == recording::End::stall) continue;  // the next test covers it
      auto [client, connection, request] = served.ask(kStreamed, "Accept-Encoding: gzip, br\r\n");
      play(std::move(connection), recording, end, client);
      expect_answer(client, translated_here(recording, end));
      ++played;
    }
  }
  EXPECT_GE(played, kSanitized ? 75U : 300U);
}

TEST(Streaming, UpstreamThatFallsSilentEndsTheStream) {
  const Served served("timeouts: {idle: 100ms}\n");
  for (const recording::Recording& recording : corpus()) {
    if (recording.id.find("openai.chat/end-") != 0) continue;
    SCOPED_TRACE(recording.id);
    auto [client, connection, request] = served.ask();
    play(std::move(connection), recording, recording::End::stall, client);
    expect_answer(client, translated_here(recording, recording::End::stall));
  }
}

TEST(Streaming, EachReadEventIsSentAtOnce) {
  const Served served;
  auto [client, connection, request] = served.ask();
  connection.begin_stream();
  for (int i = 0; i < 50; ++i) {  // each is sent only after the one before it was received
    const std::string word = "word-" + std::to_string(i) + ";";
    connection.chunk(text_event(word));
    ASSERT_TRUE(read_text(client, word));
    EXPECT_FALSE(client.whole());
  }
  // Half an event and half a character wait for the rest.
  const std::string event = text_event("caf\xC3\xA9");
  connection.chunk(event.substr(0, event.find('\xC3') + 1));
  connection.chunk(event.substr(event.find('\xC3') + 1));
  ASSERT_TRUE(read_text(client, "caf\xC3\xA9"));
  connection.chunk(kFinish);
  client.read_all();
  EXPECT_TRUE(client.whole());
  EXPECT_TRUE(contains(client.body(), "event: message_stop\n"));
}

TEST(Streaming, EndOfTheMessageEndsTheAnswerDespiteTheUpstream) {
  const Served served;
  auto [client, connection, request] = served.ask();
  connection.begin_stream();
  connection.chunk(text_event("a") + kFinish);  // no last chunk, and the connection stays open
  client.read_all();
  EXPECT_TRUE(client.whole());
  EXPECT_TRUE(connection.peer_closes());
}

// Timers of the HTTP client library also wake a waiting proxy: shortly after connecting, and after too long an attempt.
// Neither may be the reason why it checks its client.
constexpr std::chrono::milliseconds kAfterTheTimers{400};
const std::string kNoOtherTimer = "timeouts: {connect: 5m}\n";

TEST(Streaming, ClientThatLeavesCancelsTheUpstream) {
  const Served served(kNoOtherTimer);
  enum class When { before_the_head, after_the_head, between_events, late };
  for (const When when : {When::before_the_head, When::after_the_head, When::between_events, When::late}) {
    for (const bool reset : {false, true}) {
      SCOPED_TRACE(static_cast<int>(when));
      SCOPED_TRACE(reset);
      auto [client, connection, request] = served.ask();
      if (when != When::before_the_head) connection.begin_stream();
      if (when == When::between_events) {
        connection.chunk(text_event("first"));
        ASSERT_TRUE(read_text(client, "first"));
      }
      if (when == When::late) std::this_thread::sleep_for(kAfterTheTimers);
      if (reset) {
        Socket socket(dup(client.socket().descriptor()));
        client.close();
        socket.reset();
      } else {
        client.close();
      }
      EXPECT_TRUE(connection.peer_closes());  // the upstream sent nothing meanwhile
    }
  }
}

// With a second request after the first the connection is always readable, and the end is still noticed.
TEST(Streaming, LeavingAfterASecondRequestCancelsTheUpstream) {
  const Served served(kNoOtherTimer);
  auto [client, connection, request] = served.ask();
  client.post(kMessages, kStreamed);
  std::this_thread::sleep_for(kAfterTheTimers);
  client.close();
  EXPECT_TRUE(connection.peer_closes());
}

TEST(Streaming, NothingIsWrittenToAClientThatHasGone) {
  const Served served;
  for (const bool begun : {false, true}) {
    SCOPED_TRACE(begun);
    auto [client, connection, request] = served.ask();
    if (begun) {
      connection.begin_stream();
      connection.chunk(text_event("first"));
      ASSERT_TRUE(read_text(client, "first\"}}\n\n"));
    }
    const std::string before = client.body();
    shutdown(client.socket().descriptor(), SHUT_WR);
    EXPECT_TRUE(connection.peer_closes());
    client.read_all();
    EXPECT_FALSE(client.whole());
    EXPECT_EQ(client.body(), before);
    EXPECT_EQ(client.status(), begun ? 200 : 0);
  }
}

TEST(Streaming, InterimResponsesAreNotTheAnswer) {
  const Served served;
  auto [client, connection, request] = served.ask();
  connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
  ASSERT_TRUE(connection.delivered());
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // so that it is read by itself
  connection.begin_stream();
  connection.chunk(text_event("a") + kFinish);
  client.read_all();
  EXPECT_EQ(client.status(), 200);
  EXPECT_TRUE(client.whole());
}

TEST(Streaming, StreamsShareNothing) {
  constexpr std::size_t kStreams = 16;
  const Served served({}, {});  // ids at random
  std::vector<Client> clients;
  std::vector<UpstreamConnection> connections;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kStreams; ++i) {
    clients.emplace_back(served.proxy.port());
    clients.back().post(kMessages,
                        R"({"model":"ask-)" + std::to_string(i) +
                            R"(;","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"x"}]})",
                        "x-api-key: key-of-" + std::to_string(i) + "\r\n");
  }
  for (std::size_t i = 0; i < kStreams; ++i) {
    connections.push_back(served.upstream.accept());
    const Request request = connections.back().request();
    const std::size_t at = request.body.find("ask-") + 4;
    names.push_back(request.body.substr(at, request.body.find(';', at) - at));
    EXPECT_EQ(request.headers.at("authorization"), "Bearer key-of-" + names.back());
    connections.back().begin_stream();
  }
  for (int round = 0; round < 20; ++round) {
    for (std::size_t i = 0; i < kStreams; ++i) connections[i].chunk(text_event("canary-" + names[i] + ";"));
  }
  for (const UpstreamConnection& connection : connections) connection.chunk(kFinish);
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < kStreams; ++i) {
    SCOPED_TRACE(i);
    clients[i].read_all();
    EXPECT_TRUE(clients[i].whole());
    const std::string& body = clients[i].body();
    EXPECT_EQ(count(body, "canary-" + std::to_string(i) + ";"), 20U);
    EXPECT_EQ(count(body, "canary-"), 20U);
    ids.push_back(body.substr(body.find("msg_"), 20));
  }
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::unique(ids.begin(), ids.end()), ids.end());
}

TEST(Streaming, SlowClientSlowsTheUpstreamDown) {
  const Served served;
  Client client(served.proxy.port(), 4096);
  client.post(kMessages, kStreamed);
  const UpstreamConnection connection = served.upstream.accept();
  connection.request();
  connection.begin_stream();
  connection.chunk(text_event("first"));
  ASSERT_TRUE(read_text(client, "first"));
  const std::size_t before = served.proxy.memory();
  // Far more than all buffers on the way hold.
  constexpr std::size_t kMost = std::size_t{512} << 20;
  std::string events;
  for (int i = 0; i < 64; ++i) events += text_event(std::string(8000, 'x'));
  const std::string piece = as_chunk(events);
  std::size_t sent = 0;
  std::size_t at = 0;
  auto last = std::chrono::steady_clock::now();
  // Until nothing was accepted for a while.
  while (sent < kMost && std::chrono::steady_clock::now() - last < std::chrono::milliseconds(500)) {
    const std::size_t n = connection.send_some(std::string_view(piece).substr(at));
    if (n > 0) last = std::chrono::steady_clock::now();
    sent += n;
    at = (at + n) % piece.size();
  }
  EXPECT_LT(sent, kMost) << "the upstream was never slowed down";
  EXPECT_LT(served.proxy.memory(), before + (std::size_t{24} << 20));
  client.close();
  EXPECT_TRUE(connection.peer_closes());
}

TEST(Streaming, ClientThatTakesNothingIsGivenUp) {
  const Served served("timeouts: {client: 100ms}\n");
  Client client(served.proxy.port(), 4096);
  client.post(kMessages, kStreamed);
  const UpstreamConnection connection = served.upstream.accept();
  connection.request();
  connection.begin_stream();
  const std::string event = text_event(std::string(100'000, 'x'));
  std::size_t sent = 0;
  while (sent < (std::size_t{512} << 20) && connection.chunk(event)) sent += event.size();
  EXPECT_LT(sent, std::size_t{512} << 20);
}

TEST(Streaming, ConnectionServesOneRequestAfterTheOther) {
  const Served served;
  Client client(served.proxy.port());
  for (int i = 0; i < 3; ++i) {
    SCOPED_TRACE(i);
    client.post(kMessages, kStreamed);
    const UpstreamConnection connection = served.upstream.accept();
    connection.request();
    connection.begin_stream();
    connection.chunk(text_event("round-" + std::to_string(i)) + kFinish);
    client.read_all();
    EXPECT_TRUE(client.whole());
    EXPECT_TRUE(contains(client.body(), "round-" + std::to_string(i)));
    client.next_response();
  }
  // Requests sent together are answered in order.
  client.post(kMessages, kStreamed);
  client.post("/nowhere", "{}");
  const UpstreamConnection connection = served.upstream.accept();
  connection.request();
  connection.begin_stream();
  connection.chunk(text_event("last") + kFinish);
  client.read_all();
  EXPECT_TRUE(contains(client.body(), "last"));
  client.next_response();
  client.read_all();
  EXPECT_EQ(client.status(), 404);
}

TEST(Ping, SilentUpstreamIsHeardOf) {
  const std::string ping = "event: ping\ndata: {\"type\":\"ping\"}\n\n";
  const Served served("timeouts: {ping: 30ms}\n");
  auto [client, connection, request] = served.ask();
  connection.begin_stream();
  connection.chunk(": nothing that could be said\n\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(client.socket().readable());  // none before the message
  connection.chunk(text_event("first"));
  ASSERT_TRUE(read_text(client, ping + ping));
  EXPECT_EQ(client.body().find("event: message_start\n"), 0U);
  connection.chunk(text_event("second"));
  ASSERT_TRUE(read_text(client, "second"));
  ASSERT_TRUE(read_text(client, "second\"}}\n\n" + ping));
  connection.chunk(kFinish);
  client.read_all();
  EXPECT_TRUE(client.whole());
  std::string body = client.body();
  EXPECT_TRUE(contains(body, "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"));
  EXPECT_EQ(body.substr(body.find("event: message_stop")).find("ping"), std::string::npos);
  for (std::size_t at = 0; (at = body.find(ping)) != std::string::npos;) body.erase(at, ping.size());
  Translator translator{TranslatorOptions{}};
  std::string events;
  translator.feed(text_event("first") + text_event("second") + kFinish, events);
  EXPECT_EQ(body, events);
}

TEST(Ping, UpstreamThatSpeaksNeedsNone) {
  const Served served("timeouts: {ping: 5s}\n");
  auto [client, connection, request] = served.ask();
  connection.begin_stream();
  for (int i = 0; i < 20; ++i) {
    connection.chunk(text_event("word"));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  connection.chunk(kFinish);
  client.read_all();
  EXPECT_FALSE(contains(client.body(), "ping"));
}

// Returns the stop reasons of a stream and a whole message, with the stop texts of the request.
std::string stop_of(const Served& served, const std::string& sequences, const std::string& choice) {
  std::string said;
  for (const std::string& ask : {kStreamed, kWhole}) {
    auto [client, connection, request] = served.ask("{\"stop_sequences\":" + sequences + "," + ask.substr(1));
    EXPECT_TRUE(contains(request.body, "\"stop\":" + sequences));
    connection.begin_stream();
    connection.chunk(text_event("x") + "data: {\"choices\":[{\"index\":0,\"delta\":{}," + choice +
                     "}]}\n\ndata: [DONE]\n\n");
    client.read_all();
    const std::size_t at = client.body().rfind("\"stop_reason\":");
    const std::size_t end = client.body().find('}', at);
    const std::string here = client.body().substr(at, std::min(end, client.body().find(",\"usage", at)) - at);
    EXPECT_TRUE(said.empty() || said == here) << said << here;
    said = here;
  }
  return said;
}

TEST(StopSequence, IsReportedIfTheUpstreamNamesARequestedText) {
  const Served served;
  const std::string asked = R"(["END","\u00e9\"\n"])";
  const std::string none = R"("stop_reason":"end_turn","stop_sequence":null)";
  const std::vector<std::pair<std::string, std::string>> rows = {
      {R"("finish_reason":"stop","stop_reason":"END")",
       R"("stop_reason":"stop_sequence","stop_sequence":"END")"},
      {R"("finish_reason":"stop","matched_stop":"END")",
       R"("stop_reason":"stop_sequence","stop_sequence":"END")"},
      {R"("finish_reason":"stop","stop_reason":null,"matched_stop":"END")",
       R"("stop_reason":"stop_sequence","stop_sequence":"END")"},
      {R"("finish_reason":"stop","stop_reason":"\u00e9\"\n")",
       "\"stop_reason\":\"stop_sequence\",\"stop_sequence\":\"\u00e9\\\"\\n\""},
      {R"("finish_reason":"stop")", none},
      {R"("finish_reason":"stop","stop_reason":null)", none},
      {R"("finish_reason":"stop","stop_reason":128009)", none},
      {R"("finish_reason":"stop","matched_stop":1)", none},
      {R"("finish_reason":"stop","stop_reason":"")", none},
      {R"("finish_reason":"stop","stop_reason":"<|eot_id|>")", none},
      {R"("finish_reason":"length","stop_reason":"END")",
       R"("stop_reason":"max_tokens","stop_sequence":null)"},
      {R"("finish_reason":"content_filter","stop_reason":"END")",
       R"("stop_reason":"refusal","stop_sequence":null)"},
  };
  for (const auto& [choice, stop] : rows) EXPECT_EQ(stop_of(served, asked, choice), stop) << choice;
}

// A connection is reused after it has been silent for a while after an answer.
void let_it_rest() { std::this_thread::sleep_for(2 * UpstreamPool::kRest); }

// Answers one request and keeps the connection open.
void answer_and_stay(const UpstreamConnection& connection, const std::string& text) {
  connection.begin_stream();
  connection.chunk(text_event(text) + kFinish);
  connection.last_chunk();
}

TEST(Reuse, NextRequestTakesTheConnectionThatIsOpen) {
  const Served served;
  auto [client, connection, request] = served.ask(kStreamed, "x-api-key: key-of-the-first\r\n");
  EXPECT_EQ(request.headers.at("authorization"), "Bearer key-of-the-first");
  answer_and_stay(connection, "first");
  for (const std::string& ask : {kStreamed, kWhole, kStreamed}) {
    client.read_all();
    client.next_response();
    let_it_rest();
    client.post(kMessages, ask);  // without a key
    EXPECT_EQ(connection.request().headers.count("authorization"), 0U);
    answer_and_stay(connection, "another");
    client.read_all();
    EXPECT_EQ(client.status(), 200);
    EXPECT_TRUE(contains(client.body(), "another"));
    EXPECT_FALSE(contains(client.body(), "first"));
  }
  EXPECT_FALSE(served.upstream.waiting());
}

// Surplus bytes of an upstream usually come at once.
TEST(Reuse, ConnectionRestsBeforeItIsUsedAgain) {
  const Served served;
  bool rested = false;
  for (int attempt = 0; attempt < 200 && !rested; ++attempt) {  // this process may be slow
    auto [client, connection, request] = served.ask();
    answer_and_stay(connection, "first");
    client.read_all();
    client.next_response();
    client.post(kMessages, kStreamed);
    while (!served.upstream.waiting() && !connection.readable()) std::this_thread::yield();
    rested = served.upstream.waiting();
    const UpstreamConnection next = rested ? served.upstream.accept() : std::move(connection);
    next.request();
    answer_and_stay(next, "second");
    client.read_all();
  }
  EXPECT_TRUE(rested);
}

TEST(Reuse, AnotherClientTakesItToo) {
  const Served served;
  bool reused = false;
  for (int attempt = 0; attempt < 200 && !reused; ++attempt) {
    auto [client, connection, request] = served.ask();
    answer_and_stay(connection, "first");
    client.read_all();
    let_it_rest();
    Client other(served.proxy.port());
    other.post(kMessages, kStreamed);
    while (!served.upstream.waiting() && !connection.readable()) std::this_thread::yield();
    reused = connection.readable() && !connection.request().line.empty();
    if (!reused) {  // the connection is idle only a moment after the client has its answer
      served.upstream.accept();
      continue;
    }
    answer_and_stay(connection, "other");
    other.read_all();
    EXPECT_TRUE(contains(other.body(), "other"));
  }
  EXPECT_TRUE(reused);
}

// The last chunk comes alone, after the client has its whole answer.
TEST(Reuse, EndOfTheBodyIsWaitedFor) {
  const Served served;
  auto [client, connection, request] = served.ask();
  bool reused = false;
  for (int attempt = 0; attempt < 50 && !reused; ++attempt) {
    connection.begin_stream();
    connection.chunk(text_event("x") + kFinish);
    client.read_all();
    EXPECT_TRUE(client.whole());
    connection.last_chunk();  // too late if this process was slow
    client.next_response();
    let_it_rest();
    client.post(kMessages, kStreamed);
    reused = !connection.request().line.empty();
    if (reused) continue;
    connection = served.upstream.accept();
    connection.request();
  }
  EXPECT_TRUE(reused);
}

TEST(Reuse, ClientDoesNotNoticeAClosedUpstreamConnection) {
  const Served served;
  for (const bool reset : {false, true}) {
    for (const bool idle : {false, true}) {  // closed before the request comes, or as the answer to it
      for (const std::string& ask : {kStreamed, kWhole}) {
        SCOPED_TRACE(testing::Message() << reset << idle << ask);
        auto [client, old, request] = served.ask();
        answer_and_stay(old, "first");
        client.read_all();
        client.next_response();
        const auto leave = [&old = old, reset] { reset ? old.reset() : old.close(); };
        if (idle) leave();
        let_it_rest();
        client.post(kMessages, ask);
        if (!idle) {
          EXPECT_EQ(old.request().body, request.body);
          leave();
        }
        const UpstreamConnection fresh = served.upstream.accept();
        EXPECT_EQ(fresh.request().body, request.body);
        fresh.begin_stream();
        fresh.chunk(text_event("second") + kFinish);
        client.read_all();
        EXPECT_EQ(client.status(), 200);
        EXPECT_TRUE(contains(client.body(), "second"));
      }
    }
  }
}

TEST(Reuse, NothingIsSentTwiceOnceTheUpstreamHasAnswered) {
  const Served served;
  for (const bool fresh : {true, false}) {
    for (const std::string& answer :
         {std::string("HTTP/1.1 200 OK\r\n"), std::string("HTTP/1.1 103 Early Hints\r\n\r\n")}) {
      SCOPED_TRACE(testing::Message() << fresh << answer);
      auto [client, connection, request] = served.ask();
      if (!fresh) {
        answer_and_stay(connection, "first");
        client.read_all();
        client.next_response();
        let_it_rest();
        client.post(kMessages, kStreamed);
        EXPECT_NE(connection.request().line, "");
      }
      connection.send(answer);
      connection.delivered();
      connection.close();
      client.read_all();
      EXPECT_EQ(client.status(), 502);
      EXPECT_FALSE(served.upstream.waiting());
    }
  }
}

TEST(Reuse, MissingAnswerOnANewConnectionIsNotRetried) {
  const Served served;
  auto [client, connection, request] = served.ask();
  connection.close();
  client.read_all();
  EXPECT_EQ(client.status(), 502);
  EXPECT_FALSE(served.upstream.waiting());
}

}  // namespace
}  // namespace splitproof::server::streaming_test
