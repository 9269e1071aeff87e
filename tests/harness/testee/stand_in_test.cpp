// Tests the promises of the stand-in with clients over real sockets. The file is long because each test plays both
// sides. response_script_test.cpp and http_request_test.cpp test the parts that need no socket.

#include "harness/testee/stand_in.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "harness/recording/corpus.hpp"
#include "harness/split/random_cuts.hpp"
#include "harness/split/split.hpp"
#include "tests/harness/testee/reading_client.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::testee::stand_in_test {
namespace {

using Got = ReadingClient::Got;

// Tests use shorter timeouts than the default if the stand-in has to give up.
std::unique_ptr<StandIn> started(StandInSettings settings = {}) {
  auto stand_in = StandIn::start(std::move(settings));
  if (!stand_in) {
    ADD_FAILURE() << describe(stand_in.error());
    std::abort();
  }
  return *std::move(stand_in);
}

ResponseScript script_of(std::vector<std::string> pieces) {
  ResponseScript script;
  script.headers = {{"content-type", "text/event-stream"}};
  script.pieces = std::move(pieces);
  return script;
}

std::vector<std::size_t> sizes_of(const WritePlan& plan) {
  std::vector<std::size_t> sizes;
  std::size_t begin = 0;
  for (const std::size_t end : plan.ends) {
    sizes.push_back(end - begin);
    begin = end;
  }
  return sizes;
}

std::size_t entries_of(const char* folder) {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()));
}

// Returns the strays when this many have come, or after kTimeout.
std::vector<Served> strays_of(const StandIn& stand_in, std::size_t count) {
  const Deadline deadline = within(kTimeout);
  while (stand_in.strays().size() < count && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return stand_in.strays();
}

#define SKIP_WITHOUT_BOUNDARIES(stand_in) \
  if (!(stand_in).unproven().empty()) GTEST_SKIP() << "boundaries unproven: " << (stand_in).unproven()

TEST(StandIn, KeepsTheRequestAsEvidence) {
  const auto stand_in = started();
  const auto answer = stand_in->prepare("", script_of({"data: a\n\n"}));
  ReadingClient client(stand_in->base_url());
  client.post("/v1/chat/completions?x=1", "{\"stream\":true}", "X-Api-Key: sk-dummy\r\n");
  const HttpResponse response = client.read_one_response();
  EXPECT_TRUE(response.complete);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "data: a\n\n");
  ASSERT_TRUE(answer->wait_until_served(1, kTimeout));
  const Served served = answer->served()[0];
  EXPECT_EQ(served.request.method, "POST");
  EXPECT_EQ(served.request.target, "/v1/chat/completions?x=1");
  EXPECT_EQ(served.request.body, "{\"stream\":true}");
  EXPECT_EQ(*find_header(served.request.headers, "x-api-key"), "sk-dummy");
  EXPECT_EQ(served.connection, 1u);
  EXPECT_EQ(served.turn, 1u);
  EXPECT_EQ(served.status, 200);
  EXPECT_EQ(served.writes, 3u);
  EXPECT_EQ(served.written, response.size);
  EXPECT_EQ(served.outcome, ServingOutcome::finished);
  EXPECT_EQ(served.exact, stand_in->unproven().empty());
}

TEST(StandIn, GivesSomeRequestsAnotherResponse) {
  const auto stand_in = started();
  const auto wants_one_piece = [](const UpstreamRequest& request) { return request.body == "whole"; };
  const auto answer = stand_in->prepare("/v1", script_of({"data: a\n\n"}),
                                        OtherResponse{json_response(200, "{}"), wants_one_piece});
  for (const auto& [body, told] : {std::pair("whole", "{}"), {"stream", "data: a\n\n"}, {"whole", "{}"}}) {
    ReadingClient client(stand_in->base_url());
    client.post("/v1/chat", body);
    EXPECT_EQ(client.read_one_response().body, told) << body;
  }
  EXPECT_TRUE(answer->wait_until_served(3, kTimeout));
}

// The basis of all other promises: each write is one read.
TEST(StandIn, EachWriteIsOneRead) {
  const auto stand_in = started();
  SKIP_WITHOUT_BOUNDARIES(*stand_in);
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  const auto corpus = recording::load_corpus({std::string(root == nullptr ? "." : root) + "/corpus"});
  ASSERT_GE(corpus.recordings.size(), 100u);
  const std::vector<WritePacking> packings{
      WritePacking::piece,       WritePacking::one_chunk,  WritePacking::two_pieces, WritePacking::in_size,
      WritePacking::in_size_end, WritePacking::before_end, WritePacking::in_end};
  std::size_t reads = 0;
  for (std::size_t i = 0; i < corpus.recordings.size(); i += kSanitized ? 5 : 1) {
    const recording::Recording& recording = corpus.recordings[i];
    SCOPED_TRACE(recording.id);
    split::Cuts cuts = split::random_cuts(recording.body.size(), i, 3);
    if (cuts.size() > 60) cuts.resize(60);
    ResponseScript script =
        response_of(recording, {split::chunks(recording.body, cuts), recording::End::complete});
    script.keep_alive = false;
    script.packing = packings[i % packings.size()];
    script.framing = static_cast<BodyFraming>(i / packings.size() % 3);
    script.head_apart = i % 2 == 0;
    script.cuts = {1 + i % 40, 20 + i % 50};
    const auto answer = stand_in->prepare("", script);
    ReadingClient client(stand_in->base_url());
    client.post("/", "{}");
    EXPECT_EQ(client.read_all(), Got::end);
    EXPECT_EQ(client.sizes(), sizes_of(plan_writes(script)));
    EXPECT_EQ(read_response(client.text(), true).body, recording.body);
    ASSERT_TRUE(answer->wait_until_served(1, kTimeout));
    EXPECT_TRUE(answer->served()[0].exact);
    reads += client.sizes().size();
  }
  std::cout << reads << " reads\n";
}

// Bytes that arrive while a reader holds the socket's lock wait for it. They count as neither arrived nor unread, so
// one look at the reader's queue is not enough.
TEST(StandIn, ReaderThatNeverRestsReadsExactlyToo) {
  const auto stand_in = started();
  SKIP_WITHOUT_BOUNDARIES(*stand_in);
  ResponseScript script = script_of(std::vector<std::string>(1000, "piece"));
  script.keep_alive = false;
  for (int round = 0; round < 4; ++round) {
    stand_in->prepare("", script);
    ReadingClient client(stand_in->base_url());
    client.post("/", "{}");
    EXPECT_EQ(client.read_all_restless(), Got::end);
    EXPECT_EQ(client.sizes(), sizes_of(plan_writes(script)));
  }
}

TEST(StandIn, ManyClientsAtOnceReadExactly) {
  const auto stand_in = started();
  SKIP_WITHOUT_BOUNDARIES(*stand_in);
  constexpr std::size_t kClients = 32;
  std::vector<std::shared_ptr<PreparedAnswer>> answers;
  for (std::size_t i = 0; i < kClients; ++i) {
    const std::string text(997, static_cast<char>('a' + i % 26));
    ResponseScript script = script_of({});
    for (const std::string_view chunk : split::chunks(text, split::random_cuts(text.size(), 7 + i, 5)))
      script.pieces.emplace_back(chunk);
    if (script.pieces.size() > 40) {
      for (std::size_t k = 40; k < script.pieces.size(); ++k) script.pieces[39] += script.pieces[k];
      script.pieces.resize(40);
    }
    script.headers.push_back({"x-case", std::to_string(i)});
    script.keep_alive = false;
    answers.push_back(stand_in->prepare("case-" + std::to_string(i) + ";", script));
  }
  std::vector<std::thread> threads;
  std::atomic<std::size_t> right{0};
  for (std::size_t i = 0; i < kClients; ++i) {
    threads.emplace_back([&, i] {
      ReadingClient client(stand_in->base_url());
      const std::string token = "case-" + std::to_string(i) + ";";
      if (i % 3 == 0) client.post("/" + token, "{}");
      if (i % 3 == 1) client.post("/", "{}", "x-token: a " + token + "\r\n");
      if (i % 3 == 2) client.post("/", "{\"user\":\"" + token + "\"}");
      const Got got = client.read_all();
      const bool mine = read_response(client.text(), true).headers["x-case"] == std::to_string(i);
      if (got == Got::end && mine && client.sizes() == sizes_of(plan_writes(answers[i]->script_for({}))))
        ++right;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, kClients);
  for (const auto& answer : answers) EXPECT_TRUE(answer->wait_until_served(1, kTimeout));
  EXPECT_TRUE(stand_in->strays().empty());
}

TEST(StandIn, ClientsGetTheEndOfTheScript) {
  const auto stand_in = started();
  const auto end_of = [&](const ResponseScript& script, HttpResponse& response, Got expected) {
    const auto answer = stand_in->prepare("", script);
    ReadingClient client(stand_in->base_url());
    client.post("/", "{}");
    const Got got = client.read_all(expected == Got::silence ? std::chrono::milliseconds(300) : kTimeout);
    response = read_response(client.text(), got == Got::end);
    EXPECT_EQ(got, expected);
    EXPECT_EQ(response.body, "one, two");
    client.close();
    EXPECT_TRUE(answer->wait_until_served(1, kTimeout));
    EXPECT_EQ(answer->served()[0].outcome, ServingOutcome::finished);
  };
  HttpResponse response;
  for (const BodyFraming framing :
       {BodyFraming::chunked, BodyFraming::content_length, BodyFraming::close_delimited}) {
    SCOPED_TRACE(name(framing));
    ResponseScript script = script_of({"one, ", "two"});
    script.framing = framing;
    script.keep_alive = false;
    end_of(script, response, Got::end);
    EXPECT_TRUE(response.complete);
    script.end = recording::End::closed;
    end_of(script, response, Got::end);
    EXPECT_EQ(response.complete, framing == BodyFraming::close_delimited);
    script.end = recording::End::reset;
    end_of(script, response, Got::reset);
    EXPECT_FALSE(response.complete);
    script.end = recording::End::stall;
    end_of(script, response, Got::silence);
    EXPECT_FALSE(response.complete);
  }
}

TEST(StandIn, ResetAtAnyByteComesAfterTheBytesBeforeIt) {
  const auto stand_in = started();
  SKIP_WITHOUT_BOUNDARIES(*stand_in);  // a reset may discard unread bytes
  ResponseScript script = script_of({"one, ", "two"});
  script.keep_alive = false;
  const std::string whole = plan_writes(script).bytes;
  script.end = recording::End::reset;
  for (std::size_t offset = 0; offset <= whole.size(); ++offset) {
    script.cut_off = offset;
    stand_in->prepare("", script);
    ReadingClient client(stand_in->base_url());
    client.post("/", "{}");
    ASSERT_EQ(client.read_all(), Got::reset) << offset;
    ASSERT_EQ(client.text(), plan_writes(script).bytes) << offset;
  }
}

TEST(StandIn, TrailingBytesFollowTheResponse) {
  const auto stand_in = started();
  ResponseScript script = script_of({"one"});
  script.trailing = "garbage";
  stand_in->prepare("", script);
  ReadingClient client(stand_in->base_url());
  client.post("/", "{}");
  EXPECT_EQ(client.read_all(), Got::end);
  const HttpResponse response = read_response(client.text(), true);
  EXPECT_TRUE(response.complete);
  EXPECT_EQ(client.text().substr(response.size), "garbage");
}

TEST(StandIn, ConnectionCarriesManyExchanges) {
  const auto stand_in = started();
  ReadingClient client(stand_in->base_url());
  std::vector<std::shared_ptr<PreparedAnswer>> answers;
  for (std::size_t i = 0; i < 10; ++i) {
    ResponseScript script = script_of({"answer ", std::to_string(i)});
    script.framing = i % 2 == 0 ? BodyFraming::chunked : BodyFraming::content_length;
    answers.push_back(stand_in->prepare("", script));
  }
  client.post("/", "0");
  client.post("/", "1");  // before the first is answered
  for (std::size_t i = 0; i < 10; ++i) {
    if (i > 1) client.post("/", std::to_string(i));
    EXPECT_EQ(client.read_one_response().body, "answer " + std::to_string(i));
    ASSERT_TRUE(answers[i]->wait_until_served(1, kTimeout));
    EXPECT_EQ(answers[i]->served()[0].request.body, std::to_string(i));
    EXPECT_EQ(answers[i]->served()[0].connection, 1u);
    EXPECT_EQ(answers[i]->served()[0].turn, i + 1);
  }
  stand_in->prepare("", script_of({"last"}));
  client.post("/", "{}", "connection: close\r\n");
  const HttpResponse last = client.read_one_response();
  EXPECT_EQ(last.body, "last");
  EXPECT_EQ(last.headers.at("connection"), "close");
  EXPECT_EQ(client.read_all(), Got::end);
}

TEST(StandIn, AnswersFindTheirRequests) {
  const auto stand_in = started();
  const auto first = stand_in->prepare("", script_of({"first in line"}));
  const auto second = stand_in->prepare("", script_of({"second in line"}));
  const auto longer = stand_in->prepare("tagged-1", script_of({"longer"}));
  const auto tagged = stand_in->prepare("tag", script_of({"tagged"}));
  ReadingClient client(stand_in->base_url());
  const auto ask = [&](const std::string& target, const std::string& body) {
    client.post(target, body);
    return client.read_one_response().body;
  };
  EXPECT_EQ(ask("/", "a tag"), "tagged");
  EXPECT_EQ(ask("/tagged-1/tag", ""), "longer");
  EXPECT_EQ(ask("/", ""), "first in line");
  EXPECT_EQ(ask("/", "tag again"), "tagged");
  EXPECT_EQ(ask("/", ""), "second in line");
  stand_in->withdraw(longer);
  EXPECT_EQ(ask("/tagged-1", ""), "tagged");
  ASSERT_TRUE(tagged->wait_until_served(3, kTimeout));
  EXPECT_EQ(tagged->served().size(), 3u);
  EXPECT_EQ(tagged->served()[1].request.body, "tag again");
  client.post("/", "nobody's");
  EXPECT_EQ(client.read_one_response().status, 501);
  const auto strays = strays_of(*stand_in, 1);
  ASSERT_EQ(strays.size(), 1u);
  EXPECT_EQ(strays[0].request.body, "nobody's");
}

TEST(StandIn, UnpreparedRequestsAreAnswered) {
  StandInSettings settings;
  settings.otherwise = script_of({"always"});
  settings.otherwise->holds = {2};
  std::vector<Served> told;
  settings.on_served = [&](const Served& served) { told.push_back(served); };
  auto stand_in = started(std::move(settings));
  const auto prepared = stand_in->prepare("", script_of({"once"}));
  for (const std::string expected : {"once", "always", "always"}) {
    ReadingClient client(stand_in->base_url());
    client.post("/", expected, "connection: close\r\n");
    EXPECT_EQ(client.read_one_response().body, expected);
  }
  stand_in.reset();
  ASSERT_EQ(told.size(), 3u);
  for (const Served& served : told) EXPECT_EQ(served.outcome, ServingOutcome::finished);
}

TEST(StandIn, BrokenRequestsAreRefusedAndRemembered) {
  const auto stand_in = started();
  const auto in_line = stand_in->prepare("", script_of({"in line"}));
  const auto tagged = stand_in->prepare("case-7", script_of({"tagged"}));
  const std::vector<std::string> broken{
      "GET / HTTP/1.1\nhost: x\n\n",
      "\x16\x03\x01",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n" + std::string(300'000, 'b'),
      "GET /" + std::string(200'000, 'a'),
  };
  for (const std::string& bytes : broken) {
    SCOPED_TRACE(bytes.substr(0, 60));
    ReadingClient client(stand_in->base_url());
    client.send(bytes);
    EXPECT_EQ(client.read_all(), Got::end);
    HttpResponse response = read_response(client.text(), true);
    EXPECT_EQ(response.status, 400);
    EXPECT_EQ(response.headers["connection"], "close");
    // A client that is still sending must be able to read that before the connection closes.
    EXPECT_TRUE(client.send("more"));
    EXPECT_EQ(client.read_once(std::chrono::milliseconds(50)), Got::end);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_TRUE(client.send("more"));
  }
  const auto strays = strays_of(*stand_in, broken.size());
  EXPECT_EQ(strays.size(), broken.size());
  for (const Served& stray : strays) EXPECT_NE(stray.request.broken, "");
  // It belongs to the case despite its faults.
  ReadingClient client(stand_in->base_url());
  client.send("POST /case-7 HTTP/1.1\r\nhost: x\r\nhost: x\r\n\r\n");
  EXPECT_EQ(client.read_one_response().status, 400);
  ASSERT_TRUE(tagged->wait_until_served(1, kTimeout));
  EXPECT_EQ(tagged->served()[0].status, 400);
  EXPECT_EQ(in_line->served().size(), 0u);
  ReadingClient whole(stand_in->base_url());
  whole.post("/", "{}");
  EXPECT_EQ(whole.read_one_response().body, "in line");
}

TEST(StandIn, RequestsCutShortAreEvidenceToo) {
  StandInSettings settings;
  settings.timeouts.request = std::chrono::milliseconds(200);
  const auto stand_in = started(std::move(settings));
  const auto answer = stand_in->prepare("case-1", script_of({"x"}));
  {
    ReadingClient client(stand_in->base_url());
    client.send("POST /case-1 HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nab");
  }
  ASSERT_TRUE(answer->wait_until_served(1, kTimeout));
  EXPECT_FALSE(answer->served()[0].request.complete);
  EXPECT_EQ(answer->served()[0].request.body, "ab");
  ReadingClient slow(stand_in->base_url());
  slow.send("POST /case-1 HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nabc");
  EXPECT_EQ(slow.read_one_response().status, 400);
  ASSERT_TRUE(answer->wait_until_served(2, kTimeout));
  EXPECT_EQ(answer->served()[1].request.body, "abc");
}

TEST(StandIn, ExpectContinueIsAnswered) {
  const auto stand_in = started();
  stand_in->prepare("", script_of({"fine"}));
  ReadingClient client(stand_in->base_url());
  client.send("POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ntransfer-encoding: chunked\r\n\r\n");
  EXPECT_EQ(client.read_one_response().status, 100);
  client.send("2\r\nab\r\n");
  client.send("0\r\n\r\n");
  const HttpResponse response = client.read_one_response();
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "fine");
}

TEST(StandIn, AnswerFitsHttpVersionAndMethodOfTheClient) {
  StandInSettings settings;
  settings.otherwise = script_of({"one, ", "two"});
  const auto stand_in = started(std::move(settings));
  ReadingClient old(stand_in->base_url());
  old.send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_EQ(old.read_all(), Got::end);
  const HttpResponse response = read_response(old.text(), true);
  EXPECT_EQ(response.body, "one, two");
  EXPECT_EQ(response.headers.count("transfer-encoding"), 0u);
  ReadingClient curious(stand_in->base_url());
  curious.send("HEAD / HTTP/1.1\r\nhost: x\r\n\r\nGET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
  EXPECT_EQ(curious.read_all(), Got::end);
  const std::size_t end = curious.text().find("\r\n\r\n") + 4;
  EXPECT_EQ(read_response(curious.text().substr(end), true).body, "one, two");
}

TEST(StandIn, HoldKeepsTheByteBackUntilItIsReleased) {
  const auto stand_in = started();
  ResponseScript script = script_of({"one", "two"});
  script.holds = {2, 3, 6};
  const auto answer = stand_in->prepare("", script);
  ReadingClient client(stand_in->base_url());
  client.post("/", "{}");
  const auto body_before = [&](std::size_t hold) {
    EXPECT_TRUE(answer->wait_for_hold(hold, kTimeout));
    EXPECT_EQ(client.read_all(std::chrono::milliseconds(50)), Got::silence);
    EXPECT_FALSE(answer->wait_for_hold(hold + 1, std::chrono::milliseconds(0)));
    return read_response(client.text(), false).body;
  };
  // The client has to read to reach a hold, so it reads here first.
  EXPECT_EQ(client.read_all(std::chrono::milliseconds(200)), Got::silence);
  EXPECT_EQ(body_before(1), "on");
  answer->release();
  EXPECT_EQ(client.read_all(std::chrono::milliseconds(200)), Got::silence);
  EXPECT_EQ(body_before(2), "one");
  answer->release();
  EXPECT_EQ(client.read_all(std::chrono::milliseconds(200)), Got::silence);
  EXPECT_EQ(body_before(3), "onetwo");
  EXPECT_FALSE(read_response(client.text(), false).complete);
  answer->release();
  EXPECT_TRUE(client.read_one_response().complete);
  ASSERT_TRUE(answer->wait_until_served(1, kTimeout));
}

TEST(StandIn, PausesPassBeforeEachPieceAndTheEnd) {
  const auto stand_in = started();
  ResponseScript script = script_of({"one", "two"});
  script.pauses = {0.05, 0.1, 0.15};
  stand_in->prepare("", script);
  ReadingClient client(stand_in->base_url());
  const Deadline begin = std::chrono::steady_clock::now();
  client.post("/", "{}");
  double due = 0;
  const std::vector<std::string> bodies{"one", "onetwo", "onetwo"};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    due += script.pauses[i];
    const bool is_end = i + 1 == bodies.size();
    HttpResponse response;
    do {
      ASSERT_EQ(client.read_once(kTimeout), Got::bytes);
      response = read_response(client.text(), false);
    } while (response.body != bodies[i] || response.complete != is_end);
    EXPECT_GE(seconds(begin, std::chrono::steady_clock::now()), due) << bodies[i];
  }
}

TEST(StandIn, PauseEndsIfTheClientLeavesOrTheStandInStops) {
  for (const bool leaves : {true, false}) {
    auto stand_in = started();
    ResponseScript script = script_of({"one", "two"});
    script.pauses = {0, 3600};
    const auto answer = stand_in->prepare("", script);
    ReadingClient client(stand_in->base_url());
    client.post("/", "{}");
    while (read_response(client.text(), false).body != "one")
      ASSERT_EQ(client.read_once(kTimeout), Got::bytes);
    leaves ? client.close() : stand_in.reset();
    ASSERT_TRUE(answer->wait_until_served(1, kTimeout));
    EXPECT_EQ(answer->served()[0].outcome, leaves ? ServingOutcome::client_left : ServingOutcome::stopped);
  }
}

TEST(StandIn, HoldBeyondTheBodyKeepsTheClosingBack) {
  const auto stand_in = started();
  ResponseScript script = script_of({"one", "two"});
  script.framing = BodyFraming::close_delimited;
  script.holds = {6};
  const auto answer = stand_in->prepare("", script);
  ReadingClient client(stand_in->base_url());
  client.post("/", "{}");
  EXPECT_EQ(client.read_all(std::chrono::milliseconds(200)), Got::silence);
  EXPECT_EQ(read_response(client.text(), false).body, "onetwo");
  EXPECT_TRUE(answer->wait_for_hold(1, kTimeout));
  EXPECT_EQ(client.read_all(std::chrono::milliseconds(50)), Got::silence);
  answer->release();
  EXPECT_EQ(client.read_all(), Got::end);
}

TEST(StandIn, SlowConnectionIsGivenUp) {
  StandInSettings settings;
  settings.timeouts.read = std::chrono::milliseconds(100);
  settings.timeouts.hold = std::chrono::milliseconds(100);
  settings.timeouts.stall = std::chrono::milliseconds(100);
  settings.timeouts.idle = std::chrono::milliseconds(100);
  const auto stand_in = started(std::move(settings));
  const auto outcome_of = [&](const ResponseScript& script, bool reads) {
    const auto answer = stand_in->prepare("", script);
    ReadingClient client(stand_in->base_url());
    client.post("/", "{}");
    EXPECT_TRUE(!reads || client.read_all() == Got::reset);
    EXPECT_TRUE(answer->wait_until_served(1, kTimeout));
    return answer->served()[0].outcome;
  };
  ResponseScript large = script_of({std::string(64 << 20, 'x')});
  EXPECT_EQ(outcome_of(large, false), ServingOutcome::not_read);
  ResponseScript held = script_of({"x"});
  held.holds = {0};
  EXPECT_EQ(outcome_of(held, true), ServingOutcome::not_released);
  ResponseScript stalled = script_of({"x"});
  stalled.end = recording::End::stall;
  EXPECT_EQ(outcome_of(stalled, true), ServingOutcome::finished);
  const bool told = stand_in->unproven().empty();
  EXPECT_EQ(outcome_of(script_of({"x"}), false), told ? ServingOutcome::not_read : ServingOutcome::finished);
  ReadingClient idle(stand_in->base_url());
  EXPECT_EQ(idle.read_all(), Got::end);
}

TEST(StandIn, NoticesThatItsClientHasLeft) {
  const auto stand_in = started();
  SKIP_WITHOUT_BOUNDARIES(*stand_in);
  ResponseScript script = script_of(std::vector<std::string>(50, "piece"));
  for (const bool held : {false, true}) {
    if (held) script.holds = {100};
    const auto answer = stand_in->prepare("", script);
    ReadingClient client(stand_in->base_url());
    client.post("/", "{}");
    for (int i = 0; i < 5; ++i) ASSERT_EQ(client.read_once(kTimeout), Got::bytes);
    if (held) {
      while (client.read_once(std::chrono::milliseconds(100)) == Got::bytes) continue;
      ASSERT_TRUE(answer->wait_for_hold(1, kTimeout));
      client.send("x");  // so that closing, with an answer unread, resets the connection
    }
    client.close();
    answer->release();
    ASSERT_TRUE(answer->wait_until_served(1, kTimeout));
    EXPECT_EQ(answer->served()[0].outcome, ServingOutcome::client_left);
    EXPECT_LT(answer->served()[0].writes, 30u);
  }
}

// The stand-in only sees that the client sends no more. A client that closed has gone. A client that shut down its
// sending half waits for its answer.
TEST(StandIn, NoticesAtAHoldWhetherItsClientHasClosed) {
  const auto stand_in = started();
  SKIP_WITHOUT_BOUNDARIES(*stand_in);
  for (const bool closes : {true, false}) {
    SCOPED_TRACE(closes);
    ResponseScript script = script_of({"piece"});
    script.holds = {5};
    const auto answer = stand_in->prepare("", script);
    ReadingClient client(stand_in->base_url());
    client.post("/", "{}");
    while (client.text().find("piece\r\n") == std::string::npos)
      ASSERT_EQ(client.read_once(kTimeout), Got::bytes);
    ASSERT_TRUE(answer->wait_for_hold(1, kTimeout));
    if (closes) {
      client.close();
    } else {
      client.shut_down_sending();
      EXPECT_FALSE(answer->wait_until_served(1, std::chrono::milliseconds(100)));
      answer->release();
      EXPECT_TRUE(client.read_one_response().complete);
    }
    ASSERT_TRUE(answer->wait_until_served(1, kTimeout));
    EXPECT_EQ(answer->served()[0].outcome, closes ? ServingOutcome::client_left : ServingOutcome::finished);
  }
}

TEST(StandIn, CancelledAnswerEndsInEveryKindOfWait) {
  const auto stand_in = started();
  SKIP_WITHOUT_BOUNDARIES(*stand_in);
  ResponseScript held = script_of({"x"});
  held.holds = {0};
  ResponseScript stalled = script_of({"x"});
  stalled.end = recording::End::stall;
  const ResponseScript unread = script_of({"x"});
  for (const ResponseScript& script : {held, stalled, unread}) {
    const bool reads = script.holds == held.holds || script.end == recording::End::stall;
    const auto answer = stand_in->prepare("", script);
    ReadingClient client(stand_in->base_url());
    client.post("/", "{}");
    if (reads) {
      const std::string last = script.holds.empty() ? "x\r\n" : "\r\n\r\n";
      while (client.text().find(last) == std::string::npos) ASSERT_EQ(client.read_once(kTimeout), Got::bytes);
    }
    const Deadline deadline = within(kTimeout);
    while (answer->wait_until_idle(std::chrono::milliseconds(0)) &&
           std::chrono::steady_clock::now() < deadline)
      std::this_thread::yield();  // until the request has come
    EXPECT_FALSE(answer->wait_until_idle(std::chrono::milliseconds(50)));
    answer->give_up();
    ASSERT_TRUE(answer->wait_until_idle(kTimeout));
    EXPECT_EQ(answer->served().at(0).outcome, ServingOutcome::stopped);
    EXPECT_FALSE(answer->wait_for_hold(9, kTimeout));
    EXPECT_GE(answer->served()[0].ended, answer->served()[0].came);
    EXPECT_EQ(client.read_all(), Got::reset);
  }
}

TEST(StandIn, StopsInEveryStateWithoutRemains) {
  const std::size_t descriptors = entries_of("/proc/self/fd");
  const std::size_t threads = entries_of("/proc/self/task");
  for (int round = 0; round < 3; ++round) {
    auto stand_in = started();
    ResponseScript held = script_of({"held"});
    held.holds = {1};
    ResponseScript stalled = script_of({"stalled"});
    stalled.end = recording::End::stall;
    const auto a = stand_in->prepare("A", held);
    const auto b = stand_in->prepare("B", stalled);
    const auto c = stand_in->prepare("C", script_of(std::vector<std::string>(10, std::string(8 << 20, 'x'))));
    for (int i = 0; i < 50; ++i) {  // come and gone
      ResponseScript script = script_of({"x"});
      script.end = static_cast<recording::End>(i % 3);
      stand_in->prepare("", script);
      ReadingClient client(stand_in->base_url());
      client.post("/", "{}", i % 2 == 0 ? "connection: close\r\n" : "");
      client.read_one_response();
    }
    ReadingClient idle(stand_in->base_url());
    ReadingClient half(stand_in->base_url());
    half.send("POST / HTTP/1.1\r\nho");
    ReadingClient waits(stand_in->base_url());
    ReadingClient stalls(stand_in->base_url());
    ReadingClient deaf(stand_in->base_url());
    waits.post("/", "A");
    stalls.post("/", "B");
    deaf.post("/", "C");
    EXPECT_EQ(stalls.read_all(std::chrono::milliseconds(200)), Got::silence);
    EXPECT_EQ(waits.read_all(std::chrono::milliseconds(200)), Got::silence);
    ASSERT_TRUE(a->wait_for_hold(1, kTimeout));
    stand_in.reset();
    for (const auto& answer : {a, b, c}) {
      ASSERT_EQ(answer->served().size(), 1u);
      EXPECT_EQ(answer->served()[0].outcome, ServingOutcome::stopped);
    }
    EXPECT_EQ(waits.read_all(), Got::reset);
    EXPECT_EQ(stalls.read_all(), Got::reset);
    EXPECT_EQ(idle.read_all(), Got::end);
  }
  EXPECT_EQ(entries_of("/proc/self/fd"), descriptors);
  EXPECT_EQ(entries_of("/proc/self/task"), threads);
}

TEST(StandIn, FailureToListenIsReportedWithTheReason) {
  const auto stand_in = started();
  const std::string port = stand_in->base_url().substr(stand_in->base_url().rfind(':') + 1);
  StandInSettings settings;
  settings.port = static_cast<std::uint16_t>(std::stoi(port));
  const auto again = StandIn::start(settings);
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().what, "cannot listen on 127.0.0.1:" + port + ": Address already in use");
  settings.host = "not a host";
  EXPECT_FALSE(StandIn::start(settings).has_value());
}

}  // namespace
}  // namespace splitproof::testee::stand_in_test
