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

/// A call over TLS and HTTP/2, as each side saw it.
struct Http2Call {
  Got got = Got::silence;  ///< The end that the client saw.
  std::string text;        ///< The bytes that it got.
  testee::HttpResponse response;
  CallReport report;
};

/// Recorders in front of nginx, which is the provider's TLS end. One for each protocol.
class Http2Recorders {
 public:
  explicit Http2Recorders(const TlsEnd& tls) : tls_(tls) {}

  // If `is_held`, the provider ends the response only when the client has its head and all of its body.
  Http2Call get(StandIn& provider, const std::string& protocol, ResponseScript script, bool is_held) {
    Of& of = sessions_[protocol];
    if (of.session == nullptr)
      of.session = std::make_unique<Session>(tls_.url(), protocol, true, tls_.certificate());
    std::size_t size = 0;
    for (const std::string& piece : script.pieces) size += piece.size();
    if (is_held) script.holds = {size};
    const auto answer = provider.prepare("", std::move(script));
    ReadingClient client(of.session->url());
    client.post(path_of(protocol), R"({"model":"m","stream":true})", "connection: close\r\n");
    const auto lacks_bytes = [&] {
      const testee::HttpResponse response = testee::read_response(client.text(), false);
      return !response.head || response.body.size() < size;
    };
    while (is_held && lacks_bytes() && client.read_once(testee::kTimeout) == Got::bytes) {
    }
    answer->release();
    Http2Call call;
    call.got = client.read_all();
    call.text = client.text();
    call.response = testee::read_response(call.text, call.got == Got::end);
    const std::vector<CallReport> reports = of.session->reports(++of.calls);
    EXPECT_EQ(reports.size(), of.calls);
    if (!reports.empty()) call.report = reports.back();
    return call;
  }

  Result<Recording> recording_of(const std::string& protocol, const CallReport& report) {
    return sessions_[protocol].session->recording_of(report);
  }

 private:
  struct Of {
    std::unique_ptr<Session> session;
    std::size_t calls = 0;
  };

  const TlsEnd& tls_;
  std::map<std::string, Of> sessions_;
};

// nginx keeps the head in its TLS buffer until the first byte of the body. If the response breaks off before, the head and the reset
// of the stream come in one TLS record, and libcurl returns only the error. Then there is nothing to record, and the client gets no
// byte either.
void expect_nothing_recorded(const Http2Call& call, const std::string& id) {
  EXPECT_EQ(call.got, Got::reset) << id;
  EXPECT_EQ(call.text, "") << id;
  EXPECT_EQ(call.report.file, "") << id;
  EXPECT_EQ(call.report.by, EndedBy::provider) << id;
  EXPECT_TRUE(call.report.why.starts_with("the provider ended the connection before the response: "))
      << id << ": " << call.report.why;
}

// Over HTTP/2 the boundaries are those of nginx. The bytes, the end and its side must be the provider's.
TEST(Recorder, RecordsTheCorpusOverTlsAndHttp2) {
  const auto provider = started();
  const auto tls = TlsEnd::start(provider->base_url());
  if (tls == nullptr) GTEST_SKIP() << "nginx and openssl are needed";
  Http2Recorders recorders(*tls);
  std::size_t calls = 0;
  std::size_t without_head = 0;
  std::size_t without_body = 0;  // but with a head
  for (const Recording& recording : corpus()) {
    const auto splits = splits_of(recording);
    std::vector<std::pair<ResponseScript, bool>> scripts;
    for (const auto& pieces : std::span(splits).last(count_of_splits())) {
      const ResponseScript script = script_of(recording, pieces);
      scripts.emplace_back(script, false);
      if (script.end != End::complete && !recording.body.empty()) scripts.emplace_back(script, true);
    }
    for (const auto& [script, is_held] : scripts) {
      const Http2Call call = recorders.get(*provider, recording.protocol, script, is_held);
      ++calls;
      if (!call.response.head && !is_held && script.end != End::complete) {
        ++without_head;
        expect_nothing_recorded(call, recording.id);
        EXPECT_TRUE(recording.body.empty() || script.end == End::reset) << recording.id;
        continue;
      }
      ASSERT_NE(call.report.file, "") << recording.id << ": " << call.report.why;
      const auto recorded = recorders.recording_of(recording.protocol, call.report);
      ASSERT_TRUE(recorded) << describe(recorded.error());
      without_body += recorded->body.empty() ? 1 : 0;
      EXPECT_EQ(recorded->status, recording.status) << recording.id;
      EXPECT_EQ(call.response.status, recording.status) << recording.id;
      // After a reset the kernel may discard what the client has not read.
      if (script.end == End::complete || is_held)
        EXPECT_EQ(call.response.body, recorded->body) << recording.id;
      else
        EXPECT_EQ(recorded->body.rfind(call.response.body, 0), 0u) << recording.id;
      EXPECT_EQ(recorded->end == End::complete, script.end == End::complete) << recording.id;
      EXPECT_EQ(call.report.by, EndedBy::provider) << recording.id;
      EXPECT_EQ(call.response.complete, script.end == End::complete) << recording.id;
      // nginx may discard what it has read before a reset.
      if (script.end == End::reset && !is_held)
        EXPECT_EQ(recording.body.rfind(recorded->body, 0), 0u) << recording.id;
      else
        EXPECT_EQ(recorded->body, recording.body) << recording.id;
    }
  }
  const std::vector<TlsEnd::LoggedCall> log = tls->access_log(calls);
  EXPECT_EQ(log.size(), calls);
  std::size_t logged_without_body = 0;
  for (const TlsEnd::LoggedCall& call : log) {
    EXPECT_EQ(call.protocol, "HTTP/2.0");
    logged_without_body += call.body_bytes == 0 ? 1 : 0;
  }
  // nginx has sent a body with every other head.
  EXPECT_EQ(without_head + without_body, logged_without_body);
  RecordProperty("calls", static_cast<int>(calls));
  RecordProperty("without_head", static_cast<int>(without_head));
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
  for (std::size_t size = 0; size <= body.size(); ++size) {
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
