// The recorder between the tests' own client and the stand-in. The stand-in sends a write only when the previous write was
// read, so every boundary is known.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "harness/dialect/endpoints.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/split/random_cuts.hpp"
#include "harness/testee/stand_in.hpp"
#include "tests/harness/testee/reading_client.hpp"
#include "tests/record/session.hpp"
#include "tests/record/tls_end.hpp"

namespace splitproof::record::recorder_test {
namespace {

using recording::End;
using recording::Recording;
using testee::ReadingClient;
using testee::ResponseScript;
using testee::StandIn;
using Got = ReadingClient::Got;

std::unique_ptr<StandIn> started() {
  auto stand_in = StandIn::start({});
  if (!stand_in) {
    ADD_FAILURE() << describe(stand_in.error());
    std::abort();
  }
  return *std::move(stand_in);
}

const std::vector<Recording>& corpus() {
  static const std::vector<Recording> kAll = [] {
    const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
    return recording::load_corpus({(std::filesystem::path(root) / "corpus").string()}).recordings;
  }();
  return kAll;
}

std::vector<std::string> pieces_of(const std::string& body, std::vector<std::size_t> ends) {
  if (ends.empty() || ends.back() != body.size()) ends.push_back(body.size());
  std::vector<std::string> pieces;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    if (end > begin) pieces.push_back(body.substr(begin, end - begin));
    begin = end;
  }
  return pieces;
}

// Random splits of each recording. SPLITPROOF_RECORDER_SPLITS asks for more.
std::size_t count_of_splits() {
  const char* asked = std::getenv("SPLITPROOF_RECORDER_SPLITS");
  return asked == nullptr ? 1 : std::strtoul(asked, nullptr, 10);
}

// The recorded chunks, and random splits: up to eight cuts, or at first every cut of small bodies.
std::vector<std::vector<std::string>> splits_of(const Recording& recording) {
  std::vector<std::size_t> arrivals;
  for (const recording::Arrival& arrival : recording.arrivals) arrivals.push_back(arrival.end);
  std::vector<std::vector<std::string>> splits{pieces_of(recording.body, arrivals)};
  split::SplitMix64 random(recording.body.size());
  for (std::size_t number = 0; number < count_of_splits(); ++number) {
    std::vector<std::size_t> cuts;
    for (int i = 0; i < 8 && !recording.body.empty(); ++i)
      cuts.push_back(random.below(recording.body.size()));
    if (number == 0 && recording.body.size() < 300) {
      cuts.resize(recording.body.size());
      std::iota(cuts.begin(), cuts.end(), 0);
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    splits.push_back(pieces_of(recording.body, cuts));
  }
  return splits;
}

ResponseScript script_of(const Recording& recording, std::vector<std::string> pieces) {
  ResponseScript script;
  script.status = recording.status;
  const dialect::UpstreamDialect* upstream = dialect::upstream_of(recording.protocol);
  script.headers = {
      {"content-type", upstream == nullptr ? "text/event-stream" : std::string(upstream->content_type())}};
  script.pieces = std::move(pieces);
  script.end = recording.end == End::stall ? End::complete : recording.end;
  return script;
}

std::string path_of(const std::string& protocol) {
  return "/v1" + std::string(dialect::request_path_of(protocol));
}

std::vector<std::string> pieces_in(const Recording& recording) {
  std::vector<std::size_t> ends;
  for (const recording::Arrival& arrival : recording.arrivals) ends.push_back(arrival.end);
  return recording.body.empty() ? std::vector<std::string>() : pieces_of(recording.body, ends);
}

// One provider and one session for each protocol.
struct Wired {
  explicit Wired(const std::string& of_protocol)
      : protocol(of_protocol), provider(started()), session(provider->base_url(), protocol) {}

  // Returns the bytes that a client gets through the recorder.
  std::pair<Got, std::string> get(ResponseScript script) {
    provider->prepare("", std::move(script));
    ReadingClient client(session.url());
    client.post(path_of(protocol), R"({"model":"m","stream":true})", "connection: close\r\n");
    const Got got = client.read_all();
    return {got, client.text()};
  }

  std::string protocol;
  std::unique_ptr<StandIn> provider;
  Session session;
};

// Sends one recording through the recorder, and compares all that comes out.
void expect_exact(Wired& one, const Recording& recording, const std::vector<std::string>& pieces,
                  std::size_t number) {
  const ResponseScript script = script_of(recording, pieces);
  const auto [got, bytes] = one.get(script);
  const testee::HttpResponse response = testee::read_response(bytes, got == Got::end);
  const std::vector<CallReport> reports = one.session.reports(number);
  ASSERT_EQ(reports.size(), number) << recording.id;
  const CallReport& report = reports.back();
  ASSERT_NE(report.file, "") << recording.id << ": " << report.why;
  const auto recorded = one.session.recording_of(report);
  ASSERT_TRUE(recorded) << describe(recorded.error());

  EXPECT_EQ(recorded->body, recording.body) << recording.id;
  EXPECT_EQ(pieces_in(*recorded), recording.body.empty() ? std::vector<std::string>() : pieces)
      << recording.id;
  EXPECT_EQ(recorded->end, script.end) << recording.id;
  EXPECT_EQ(recorded->status, recording.status) << recording.id;
  EXPECT_TRUE(recorded->warnings.empty()) << recording.id;
  EXPECT_EQ(got, script.end == End::reset ? Got::reset : Got::end) << recording.id;
  if (script.end == End::reset) return;  // the kernel may discard what the client has not read
  EXPECT_EQ(response.body, recording.body) << recording.id;
  EXPECT_EQ(response.complete, script.end == End::complete) << recording.id;
  std::vector<std::size_t> sizes;
  for (const std::string& piece : pieces)
    if (!piece.empty()) sizes.push_back(piece.size());
  EXPECT_EQ(response.chunks, sizes) << recording.id;
}

TEST(Recorder, RecordsEveryReadOfTheCorpusExactly) {
  constexpr std::size_t kThreads = 4;
  ASSERT_GT(corpus().size(), 300u);
  std::vector<std::thread> threads;
  for (std::size_t first = 0; first < kThreads; ++first) {
    threads.emplace_back([first] {
      std::map<std::string, std::unique_ptr<Wired>> wired;
      std::map<std::string, std::size_t> calls;
      for (std::size_t i = first; i < corpus().size() && !testing::Test::HasFatalFailure(); i += kThreads) {
        const Recording& recording = corpus()[i];
        auto& one = wired[recording.protocol];
        if (one == nullptr) one = std::make_unique<Wired>(recording.protocol);
        for (const auto& pieces : splits_of(recording))
          expect_exact(*one, recording, pieces, ++calls[recording.protocol]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// Over HTTP/2 the boundaries are those of nginx. The bytes, the end and its side must be the provider's.
TEST(Recorder, RecordsTheCorpusOverTlsAndHttp2) {
  const auto provider = started();
  const auto tls = TlsEnd::start(provider->base_url());
  if (tls == nullptr) GTEST_SKIP() << "nginx and openssl are needed";
  std::map<std::string, std::unique_ptr<Session>> sessions;
  std::map<std::string, std::size_t> calls;
  std::size_t whole = 0;
  for (const Recording& recording : corpus()) {
    auto& session = sessions[recording.protocol];
    if (session == nullptr)
      session = std::make_unique<Session>(tls->url(), recording.protocol, true, tls->certificate());
    const auto splits = splits_of(recording);
    for (const auto& pieces : std::span(splits).last(count_of_splits())) {
      const ResponseScript script = script_of(recording, pieces);
      provider->prepare("", script);
      ReadingClient client(session->url());
      client.post(path_of(recording.protocol), R"({"model":"m","stream":true})", "connection: close\r\n");
      const Got got = client.read_all();
      const testee::HttpResponse response = testee::read_response(client.text(), got == Got::end);
      const std::size_t number = ++calls[recording.protocol];
      const std::vector<CallReport> reports = session->reports(number);
      ASSERT_EQ(reports.size(), number) << recording.id;
      // nginx may not pass on the head if a reset, or an end without a body, follows at once.
      const bool may_lack_head =
          script.end == End::reset || (script.end == End::closed && recording.body.empty());
      if (may_lack_head && response.status != recording.status) continue;
      const CallReport& report = reports.back();
      ASSERT_NE(report.file, "") << recording.id << ": " << report.why;
      const auto recorded = session->recording_of(report);
      ASSERT_TRUE(recorded) << describe(recorded.error());
      EXPECT_EQ(recorded->status, recording.status) << recording.id;
      EXPECT_EQ(recorded->body, response.body) << recording.id;
      EXPECT_EQ(recorded->end == End::complete, script.end == End::complete) << recording.id;
      EXPECT_EQ(report.by, EndedBy::provider) << recording.id;
      EXPECT_EQ(response.complete, script.end == End::complete) << recording.id;
      // nginx may discard what it has read before a reset.
      if (script.end == End::reset)
        EXPECT_EQ(recording.body.rfind(recorded->body, 0), 0u) << recording.id;
      else
        EXPECT_EQ(recorded->body, recording.body) << recording.id;
      ++whole;
    }
  }
  EXPECT_GT(whole, corpus().size() / 2);  // most of them have a whole answer
  const std::string log = tls->access_log();
  EXPECT_NE(log.find("HTTP/2.0"), std::string::npos);
  EXPECT_EQ(log.find("HTTP/1.1\""), std::string::npos);
}

TEST(Recorder, ForwardsEachReadBeforeTheNextOne) {
  Wired wired("openai.chat");
  ResponseScript script;
  script.headers = {{"content-type", "text/event-stream"}};
  script.pieces = {"data: {", "\"a\":", "1}\n", "\n"};
  script.holds = {7, 11, 14};
  const auto answer = wired.provider->prepare("", script);
  ReadingClient client(wired.session.url());
  client.post(path_of(wired.protocol), "{}", "connection: close\r\n");
  std::string expected;
  for (std::size_t i = 0; i < script.pieces.size(); ++i) {
    expected += script.pieces[i];
    // The provider is silent until the client has all of this piece.
    while (testee::read_response(client.text(), false).body != expected)
      ASSERT_EQ(client.read_once(testee::kTimeout), Got::bytes) << "piece " << i;
    answer->release();
  }
  EXPECT_EQ(client.read_all(), Got::end);
}

TEST(Recorder, RecordsBodiesOfOtherFramings) {
  Wired wired("openai.chat");
  std::size_t number = 0;
  for (const auto framing : {testee::BodyFraming::content_length, testee::BodyFraming::close_delimited}) {
    for (const End end : {End::complete, End::closed, End::reset}) {
      if (framing == testee::BodyFraming::close_delimited && end == End::closed) continue;
      ResponseScript script;
      script.headers = {{"content-type", "text/event-stream"}};
      script.pieces = {"data: {\"a\":1}\n\n", "data: {\"b\"", ":2}\n\n"};
      script.framing = framing;
      script.end = end;
      const auto [got, bytes] = wired.get(script);
      EXPECT_EQ(got, end == End::reset ? Got::reset : Got::end);
      const auto reports = wired.session.reports(++number);
      ASSERT_EQ(reports.size(), number);
      const auto recorded = wired.session.recording_of(reports.back());
      ASSERT_TRUE(recorded);
      EXPECT_EQ(recorded->end, end);
      EXPECT_EQ(pieces_in(*recorded), script.pieces);
      EXPECT_EQ(reports.back().by, EndedBy::provider);
    }
  }
}

TEST(Recorder, RecordsResetsAndClosesAtEveryOffset) {
  Wired wired("openai.chat");
  const std::string body = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"H\xC3\xB6\"}}]}\n\n";
  std::size_t number = 0;
  for (std::size_t size = 0; size <= body.size(); size += 3) {
    for (const End end : {End::closed, End::reset}) {
      ResponseScript script;
      script.headers = {{"content-type", "text/event-stream"}};
      script.pieces = {body.substr(0, size)};
      script.end = end;
      wired.get(script);
      const auto reports = wired.session.reports(++number);
      ASSERT_EQ(reports.size(), number);
      const auto recorded = wired.session.recording_of(reports.back());
      ASSERT_TRUE(recorded);
      EXPECT_EQ(recorded->body, body.substr(0, size));
      EXPECT_EQ(recorded->end, end) << size;
      EXPECT_FALSE(reports.back().sound);
    }
  }
}

TEST(Recorder, RecordsWhichSideLeft) {
  Wired wired("openai.chat");
  ResponseScript script;
  script.headers = {{"content-type", "text/event-stream"}};
  script.pieces = {"data: 1\n\n", "data: 2\n\n"};
  script.holds = {9};
  const auto answer = wired.provider->prepare("", script);
  {
    ReadingClient client(wired.session.url());
    client.post(path_of(wired.protocol), "{}");
    while (client.text().find("data: 1\n\n") == std::string::npos)
      ASSERT_EQ(client.read_once(testee::kTimeout), Got::bytes);
  }
  // The provider sees that the client has left, although it sends nothing.
  ASSERT_TRUE(answer->wait_until_served(1, testee::kTimeout));
  EXPECT_EQ(answer->served().front().outcome, testee::ServingOutcome::client_left);
  const auto reports = wired.session.reports(1);
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].by, EndedBy::client);
  const auto recorded = wired.session.recording_of(reports[0]);
  ASSERT_TRUE(recorded);
  EXPECT_EQ(recorded->end, End::reset);
  EXPECT_EQ(recorded->body, "data: 1\n\n");
}

TEST(Recorder, RecordsFiftyCallsAtOnce) {
  constexpr std::size_t kCalls = 50;
  Wired wired("openai.chat");
  for (std::size_t i = 0; i < kCalls; ++i) {
    ResponseScript script;
    script.headers = {{"content-type", "text/event-stream"}};
    const std::string event = "data: {\"call\":" + std::to_string(i) + "}\n\n";
    script.pieces = std::vector<std::string>(20, event);
    wired.provider->prepare("token-" + std::to_string(i) + "-", script);
  }
  std::vector<std::thread> clients;
  std::vector<std::string> bodies(kCalls);
  for (std::size_t i = 0; i < kCalls; ++i) {
    clients.emplace_back([&, i] {
      ReadingClient client(wired.session.url());
      client.post(path_of(wired.protocol), R"({"user":"token-)" + std::to_string(i) + "-\"}",
                  "connection: close\r\n");
      client.read_all();
      bodies[i] = testee::read_response(client.text(), true).body;
    });
  }
  for (std::thread& client : clients) client.join();
  const auto reports = wired.session.reports(kCalls);
  ASSERT_EQ(reports.size(), kCalls);
  std::vector<std::string> recorded;
  for (const CallReport& report : reports) {
    const auto recording = wired.session.recording_of(report);
    ASSERT_TRUE(recording);
    EXPECT_EQ(recording->arrivals.size(), 20u);
    recorded.push_back(recording->body);
  }
  std::sort(recorded.begin(), recorded.end());
  std::sort(bodies.begin(), bodies.end());
  EXPECT_EQ(recorded, bodies);
  EXPECT_EQ(std::unique(recorded.begin(), recorded.end()), recorded.end());
}

TEST(Recorder, PassesOnOtherCallsWithoutRecordingThem) {
  Wired wired("openai.chat");
  wired.provider->prepare("", testee::json_response(200, R"({"data":[]})"));
  wired.provider->prepare("", testee::json_response(200, R"({"id":"x"})"));
  wired.provider->prepare("", testee::json_response(429, R"({"error":{}})"));
  ReadingClient client(wired.session.url());
  client.send("GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n");
  EXPECT_EQ(client.read_one_response().body, R"({"data":[]})");
  client.post(path_of(wired.protocol), "{}");
  EXPECT_EQ(client.read_one_response().body, R"({"id":"x"})");
  client.post(path_of(wired.protocol), "{}");
  EXPECT_EQ(client.read_one_response().status, 429);
  const auto reports = wired.session.reports(3);
  ASSERT_EQ(reports.size(), 3u);
  EXPECT_EQ(reports[0].file, "");
  EXPECT_EQ(reports[1].file, "");
  EXPECT_EQ(reports[2].file, "call-0001");
}

TEST(Recorder, AnswersIfTheProviderCannotBeReached) {
  std::string url;
  {
    const auto gone = started();
    url = gone->base_url();
  }
  Session session(url, "openai.chat");
  ReadingClient client(session.url());
  client.post("/v1/chat/completions", "{}");
  const testee::HttpResponse response = client.read_one_response();
  EXPECT_EQ(response.status, 502);
  EXPECT_NE(response.body.find("cannot reach the provider"), std::string::npos) << response.body;
  client.post("/v1/chat/completions", "{}");
  EXPECT_EQ(client.read_one_response().status, 502);
}

TEST(Recorder, RemovesUnsoundRecordingsIfOnlySoundOnesAreKept) {
  const auto provider = started();
  Session session(provider->base_url(), "openai.chat", false);
  ResponseScript broken;
  broken.headers = {{"content-type", "text/event-stream"}};
  broken.pieces = {"data: {\"choices\":"};
  provider->prepare("", broken);
  ResponseScript sound = broken;
  const auto plain = std::find_if(corpus().begin(), corpus().end(),
                                  [](const Recording& one) { return one.id == "openai.chat/text-plain"; });
  ASSERT_NE(plain, corpus().end());
  sound.pieces = {plain->body};
  provider->prepare("", sound);
  for (int i = 0; i < 2; ++i) {
    ReadingClient client(session.url());
    client.post("/v1/chat/completions", "{}", "connection: close\r\n");
    client.read_all();
  }
  const auto reports = session.reports(2);
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_TRUE(reports[0].removed) << reports[0].why;
  EXPECT_FALSE(session.recording_of(reports[0]));
  EXPECT_TRUE(reports[1].sound) << reports[1].why;
  EXPECT_TRUE(session.recording_of(reports[1]));
}

}  // namespace
}  // namespace splitproof::record::recorder_test
