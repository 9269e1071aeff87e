// Good and bad programs behind HTTP. The file is long because each is a few lines next to its expected result, and all
// start the same way.

#include "harness/testee/http_testee.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "harness/recording/corpus.hpp"
#include "harness/split/random_cuts.hpp"
#include "harness/split/split.hpp"
#include "tests/harness/testee/reading_client.hpp"
#include "tests/harness/testee/relay.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::testee::http_testee_test {
namespace {

using std::chrono::milliseconds;

Exchange exchange_of(std::vector<std::string_view> chunks) {
  Exchange exchange;
  exchange.chunks = std::move(chunks);
  return exchange;
}

// Returns a hold until the client has read this many bytes.
Hold hold(std::size_t offset, std::size_t until) {
  return {offset, [until](std::string_view downstream) { return downstream.size() >= until; }};
}

const recording::Corpus& corpus() {
  static const recording::Corpus loaded = [] {
    const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
    return recording::load_corpus({std::string(root == nullptr ? "." : root) + "/corpus"});
  }();
  return loaded;
}

const recording::Recording& recording(const std::string& id) {
  for (const recording::Recording& each : corpus().recordings)
    if (each.id == id) return each;
  std::cerr << "there is no recording " << id << "\n";
  std::abort();
}

TEST(HttpTestee, GivesEveryRecordingBackByteForByte) {
  const RelayedTestee relayed(Manners{});
  ASSERT_GE(corpus().recordings.size(), 100u);
  std::size_t exchanges = 0;
  for (const recording::Recording& recording : sampled(corpus().recordings, 4)) {
    if (recording.end == recording::End::stall) continue;
    SCOPED_TRACE(recording.id);
    split::Cuts cuts = split::random_cuts(recording.body.size(), exchanges, 8);
    if (cuts.size() > 100) cuts.resize(100);
    Exchange exchange = exchange_of(split::chunks(recording.body, cuts));
    exchange.end = recording.end;
    exchange.recording = &recording;
    const Observation seen = relayed->observe(exchange);
    ASSERT_EQ(seen.ending, recording.end == recording::End::complete ? Ending::complete : Ending::cut)
        << seen.detail;
    // A reset may discard bytes that were sent before it.
    if (recording.end == recording::End::reset) {
      ASSERT_EQ(seen.body, recording.body.substr(0, seen.body.size()));
    } else {
      ASSERT_EQ(seen.body, recording.body);
    }
    ASSERT_EQ(seen.calls.size(), 1u);
    EXPECT_EQ(seen.calls[0].status, recording.status);
    EXPECT_EQ(seen.http->status, recording.status);
    EXPECT_EQ(seen.calls[0].downstream, 0u);
    ++exchanges;
  }
  std::cout << exchanges << " exchanges\n";
}

TEST(HttpTestee, EveryCutOfARecordingIsAChunkOfTheAnswer) {
  const RelayedTestee relayed(Manners{});
  const recording::Recording& plain = recording("openai.chat/text-multibyte");
  for (std::size_t cut = 1; cut < plain.body.size(); cut += kSanitized ? 29 : 7) {
    Exchange exchange = exchange_of(split::chunks(plain.body, {cut}));
    exchange.recording = &plain;
    const Observation seen = relayed->observe(exchange);
    ASSERT_EQ(seen.ending, Ending::complete) << seen.detail;
    ASSERT_EQ(seen.body, plain.body);
    ASSERT_EQ(seen.http->chunk_ends, (std::vector<std::size_t>{cut, plain.body.size()}));
    ASSERT_EQ(seen.http->final_chunks, 1u);
    ASSERT_EQ(seen.http->trailing, 0u);
    ASSERT_EQ(seen.http->headers[0], (Header{"content-type", "text/event-stream"}));
  }
}

TEST(HttpTestee, ManyExchangesAtOnceDoNotMix) {
  const RelayedTestee relayed(Manners{});
  EXPECT_EQ(relayed->traits().max_concurrency, 4u);
  std::vector<std::thread> threads;
  std::atomic<std::size_t> wrong = 0;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 50; ++i) {
        const std::string text = "data: " + std::to_string(thread) + " " + std::to_string(i) + "\n\n";
        const Observation seen = relayed->observe(exchange_of({text, "data: [DONE]\n\n"}));
        if (seen.ending != Ending::complete || seen.body != text + "data: [DONE]\n\n" ||
            seen.calls.size() != 1)
          ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0u);
}

TEST(HttpTestee, WithoutItsTokenOneExchangeGoesAtATime) {
  const RelayedTestee relayed(Manners{.hides_message = true, .asks = 2});
  EXPECT_EQ(relayed->traits().max_concurrency, 1u);
  EXPECT_NE(relayed->remark().find("one exchange at a time"), std::string::npos) << relayed->remark();
  for (const char* const text : {"data: a\n\n", "data: b\n\n"}) {
    const Observation seen = relayed->observe(exchange_of({text}));
    EXPECT_EQ(seen.body, text);
    EXPECT_EQ(seen.calls.size(), 2u);
  }
}

TEST(HttpTestee, EveryRequestForAnExchangeGetsItsAnswer) {
  const RelayedTestee relayed(Manners{.asks = 3});
  const Observation seen = relayed->observe(exchange_of({"data: a\n\n"}));
  EXPECT_EQ(seen.body, "data: a\n\n");
  ASSERT_EQ(seen.calls.size(), 3u);
  for (const UpstreamCall& call : seen.calls) {
    EXPECT_EQ(call.method, "POST");
    EXPECT_EQ(call.target, "/v1/chat/completions");
    EXPECT_NE(call.body.find("sp-"), std::string::npos);
    EXPECT_EQ(call.outcome, "finished");
    EXPECT_EQ(call.status, 200);
    EXPECT_GT(call.written, 0u);
  }
}

// The relay sends something to its client before it asks the upstream again.
TEST(HttpTestee, ContentBeforeASecondUpstreamCallIsReported) {
  const RelayedTestee relayed(
      [](const std::string& upstream_url, RawConnection& client, const UpstreamRequest& request) {
        const RawServer nobody([](RawConnection&, const UpstreamRequest&) {});
        client.send("HTTP/1.1 200 OK\r\n\r\ntold");
        std::this_thread::sleep_for(milliseconds(50));  // until the client has read it
        const StopToken stop;
        post(*http_address(upstream_url), {request.target, {}, request.body}, {}, {}, stop);
        client.send(" more");
        std::this_thread::sleep_for(milliseconds(50));
        post(*http_address(upstream_url), {request.target, {}, request.body}, {}, {}, stop);
      });
  const Observation seen = relayed->observe(exchange_of({"data: a\n\n"}));
  EXPECT_EQ(seen.body, "told more");
  ASSERT_EQ(seen.calls.size(), 2u);
  EXPECT_EQ(seen.calls[0].downstream, 4u);
  EXPECT_EQ(seen.calls[1].downstream, 9u);
}

TEST(HttpTestee, AnswerWithoutTheUpstreamHasNoCalls) {
  const RelayedTestee relayed([](const std::string&, RawConnection& client, const UpstreamRequest&) {
    client.send("HTTP/1.1 401 Unauthorized\r\ncontent-length: 2\r\n\r\nno");
  });
  const Observation seen = relayed->observe(exchange_of({"data: a\n\n"}));
  EXPECT_EQ(seen.ending, Ending::complete);
  EXPECT_EQ(seen.http->status, 401);
  EXPECT_EQ(seen.body, "no");
  EXPECT_TRUE(seen.calls.empty());
  EXPECT_NE(relayed->remark().find("without its upstream, with status 401 and the answer: no"),
            std::string::npos)
      << relayed->remark();
}

TEST(HttpTestee, UpstreamAnswersWithAStatus) {
  const RelayedTestee relayed(Manners{});
  Exchange exchange = exchange_of({"{\"error\":", "{}}"});
  exchange.status = 429;
  exchange.recording = &recording("openai.chat/text-plain");
  const Observation seen = relayed->observe(exchange);
  EXPECT_EQ(seen.http->status, 429);
  EXPECT_EQ(*find_header(seen.http->headers, "content-type"), "application/json");
  EXPECT_EQ(seen.body, "{\"error\":{}}");
  ASSERT_EQ(seen.calls.size(), 1u);
  EXPECT_EQ(seen.calls[0].status, 429);
}

TEST(HttpTestee, HoldsAreMetByATesteeThatDoesNotBuffer) {
  const RelayedTestee relayed(Manners{});
  Exchange exchange = exchange_of({"data: a\n\n", "data: b\n\n"});
  exchange.holds = {hold(9, 9), hold(18, 18)};
  const Observation seen = relayed->observe(exchange);
  EXPECT_EQ(seen.ending, Ending::complete) << seen.detail;
  EXPECT_EQ(seen.body, "data: a\n\ndata: b\n\n");
  EXPECT_EQ(seen.releases, (std::vector<Release>{{9, true, 9}, {18, true, 18}}));
}

TEST(HttpTestee, HoldsAreReleasedUnmetIfATesteeBuffers) {
  HttpTimeouts timeouts;
  timeouts.holds.unmet = milliseconds(50);
  // Shorter than both holds together: the testee itself is not silent.
  const RelayedTestee relayed(
      Manners{.buffers = true}, [](TargetFile& file) { file.timeout = milliseconds(2000); }, timeouts);
  Exchange exchange = exchange_of({"data: a\n\n", "data: b\n\n"});
  exchange.holds = {hold(0, 0), hold(9, 9), hold(18, 18), hold(18, 1000)};
  const Observation seen = relayed->observe(exchange);
  EXPECT_EQ(seen.ending, Ending::complete) << seen.detail;
  EXPECT_EQ(seen.body, "data: a\n\ndata: b\n\n");
  EXPECT_EQ(seen.releases,
            (std::vector<Release>{{0, true, 0}, {9, false, 0}, {18, false, 0}, {18, false, 0}}));
}

TEST(HttpTestee, HoldsThatAreNotReachedAreNotReported) {
  const RelayedTestee relayed([](const std::string&, RawConnection& client, const UpstreamRequest&) {
    client.send("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
  });
  Exchange exchange = exchange_of({"data: a\n\n", "data: b\n\n"});
  exchange.holds = {hold(9, 0), hold(18, 9)};
  const Observation seen = relayed->observe(exchange);
  EXPECT_EQ(seen.body, "ok");
  EXPECT_EQ(seen.releases, std::vector<Release>());
}

TEST(HttpTestee, TesteeThatNoticesItsClientLeavesToo) {
  const RelayedTestee relayed(Manners{});
  Exchange exchange = exchange_of({"data: a\n\n", "data: b\n\n"});
  exchange.leave_at = 9;
  const Observation seen = relayed->observe(exchange);
  EXPECT_EQ(seen.ending, Ending::left);
  EXPECT_EQ(seen.body, "data: a\n\n");
  ASSERT_EQ(seen.calls.size(), 1u);
  EXPECT_EQ(seen.calls[0].outcome, "client left");
  EXPECT_TRUE(seen.calls[0].left.has_value());
  EXPECT_TRUE(seen.releases.empty());
}

TEST(HttpTestee, TesteeThatDoesNotNoticeStays) {
  HttpTimeouts timeouts;
  timeouts.leaving = milliseconds(100);
  const RelayedTestee relayed(Manners{.notices_leaving = false}, {}, timeouts);
  Exchange exchange = exchange_of({"data: a\n\n", "data: b\n\n"});
  exchange.holds = {hold(0, 0), hold(9, 9), hold(18, 18)};
  exchange.leave_at = 9;
  const Observation seen = relayed->observe(exchange);
  EXPECT_EQ(seen.ending, Ending::left);
  EXPECT_EQ(seen.body, "data: a\n\n");
  ASSERT_EQ(seen.calls.size(), 1u);
  EXPECT_EQ(seen.calls[0].outcome, "stopped");
  EXPECT_FALSE(seen.calls[0].left.has_value());
  EXPECT_EQ(seen.releases, (std::vector<Release>{{0, true, 0}, {9, true, 9}}));
}

TEST(HttpTestee, StallIsAHangUnlessTheTesteeEndsIt) {
  Exchange exchange = exchange_of({"data: a\n\n"});
  exchange.end = recording::End::stall;
  const auto shortly = [](TargetFile& file) { file.timeout = milliseconds(300); };
  {
    const RelayedTestee relayed(Manners{}, shortly);
    const Observation seen = relayed->observe(exchange);
    EXPECT_EQ(seen.ending, Ending::hung);
    EXPECT_EQ(seen.body, "data: a\n\n");
    EXPECT_EQ(seen.calls.size(), 1u);
  }
  const RelayedTestee relayed(Manners{.hangs_on_stall = false}, shortly);
  const Observation seen = relayed->observe(exchange);
  EXPECT_EQ(seen.ending, Ending::cut) << seen.detail;
  EXPECT_EQ(seen.calls.at(0).outcome, "finished");
}

// A relay that does not answer the given number of requests after the tested one.
class SilentAtFirst {
 public:
  explicit SilentAtFirst(int times)
      : relayed_(
            [this, times](const std::string& upstream_url, RawConnection& client,
                          const UpstreamRequest& request) {
              const int number = requests_++;
              if (number > 0 && number <= times) {
                client.wait_for_end();
              } else {
                relay(upstream_url, {}, client, request);
              }
            },
            [](TargetFile& file) { file.timeout = milliseconds(200); }) {}

  const HttpTestee* operator->() const { return &*relayed_; }

 private:
  std::atomic<int> requests_ = 0;
  const RelayedTestee relayed_;
};

TEST(HttpTestee, SilentTesteeHangsAndTheNextExchangeIsNotHarmed) {
  const SilentAtFirst relayed(3);
  const Observation hung = relayed->observe(exchange_of({"data: a\n\n"}));
  EXPECT_EQ(hung.ending, Ending::hung);
  EXPECT_EQ(hung.detail, "no byte arrived for 0.200 s");
  EXPECT_TRUE(hung.calls.empty());
  EXPECT_EQ(relayed->observe(exchange_of({"data: b\n\n"})).body, "data: b\n\n");
  EXPECT_EQ(relayed->mishaps(), std::vector<UnattributedFailure>()) << "it is the exchange's";
}

TEST(HttpTestee, SilentTesteeThatAnswersAloneIsOnlySlow) {
  const SilentAtFirst relayed(1);
  EXPECT_EQ(relayed->observe(exchange_of({"data: a\n\n"})).body, "data: a\n\n");
  EXPECT_EQ(relayed->mishaps(), std::vector<UnattributedFailure>());
  EXPECT_NE(relayed->remark().find("hung 1 time in parallel exchanges, and answered alone"),
            std::string::npos)
      << relayed->remark();
  EXPECT_EQ(relayed->remark().find("restarted"), std::string::npos) << relayed->remark();
}

// Other programs may use the processors, so an exchange that runs again has more time.
TEST(HttpTestee, TesteeThatIsSlowAloneTooDoesNotHang) {
  std::atomic<int> requests = 0;
  const RelayedTestee relayed(
      [&](const std::string& upstream_url, RawConnection& client, const UpstreamRequest& request) {
        if (requests++ > 0) std::this_thread::sleep_for(milliseconds(1300));
        relay(upstream_url, {}, client, request);
      },
      [](TargetFile& file) { file.timeout = milliseconds(1000); });
  EXPECT_EQ(relayed->observe(exchange_of({"data: a\n\n"})).body, "data: a\n\n");
  EXPECT_EQ(relayed->mishaps(), std::vector<UnattributedFailure>());
  EXPECT_EQ(relayed->remark().find("restarted"), std::string::npos) << relayed->remark();
}

TEST(HttpTestee, HangsAfterTheirTimeAreSkippedSooner) {
  std::atomic<int> requests = 0;
  const RelayedTestee relayed(
      [&](const std::string& upstream_url, RawConnection& client, const UpstreamRequest& request) {
        if (requests++ == 0) return relay(upstream_url, {}, client, request);  // the trial at the start
        client.wait_for_end();
      },
      [](TargetFile& file) { file.timeout = milliseconds(1500); });
  const_cast<HttpTestee&>(*relayed).limit_hangs(milliseconds(1));
  Exchange exchange = exchange_of({"data: a\n\n"});
  exchange.name = "hangs";
  const Observation first = relayed->observe(exchange);
  EXPECT_EQ(first.ending, Ending::hung) << first.detail;
  EXPECT_EQ(first.detail, "no byte arrived for 1.500 s");
  const Observation second = relayed->observe(exchange);
  EXPECT_EQ(second.ending, Ending::skipped) << second.detail;
  EXPECT_TRUE(second.detail.starts_with("no byte arrived for 1 s, and ")) << second.detail;
  EXPECT_EQ(relayed->mishaps(), std::vector<UnattributedFailure>());
}

TEST(HttpTestee, HangThatEndsWithARestartIsAMishapWithoutCause) {
  const SilentAtFirst relayed(2);
  Exchange exchange = exchange_of({"data: a\n\n"});
  exchange.name = "the first";
  EXPECT_EQ(relayed->observe(exchange).body, "data: a\n\n");
  EXPECT_EQ(
      relayed->mishaps(),
      (std::vector<UnattributedFailure>{{Ending::hung, "no byte arrived for 0.400 s", "", "the first"}}));
}

TEST(HttpTestee, GarbageIsGarbage) {
  const RelayedTestee relayed(
      [](const std::string&, RawConnection& client, const UpstreamRequest&) { client.send("data: a\n\n"); });
  const Observation seen = relayed->observe(exchange_of({"data: a\n\n"}));
  EXPECT_EQ(seen.ending, Ending::garbage);
  EXPECT_EQ(seen.body, "data: a\n\n");
  EXPECT_FALSE(seen.http.has_value());
}

// A testee that runs already is waited for, here without success.
TEST(HttpTestee, TesteeThatIsGoneIsUnavailable) {
  const auto supervisor = supervisor_for_test();
  const StopToken stop;
  TargetFile file;
  file.name = "gone";
  file.client = file.upstream = "openai.chat";
  file.upstream_listen = unused_address();
  file.request_path = "/";
  file.ready_within = milliseconds(100);
  auto server = std::make_unique<RawServer>([](RawConnection& client, const UpstreamRequest&) {
    client.send("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
  });
  file.listen = server->base_url();
  HttpTestee testee(file, *supervisor, stop);
  const Result<void> started = testee.start();
  ASSERT_TRUE(started) << describe(started.error());
  EXPECT_EQ(testee.observe(exchange_of({"a"})).ending, Ending::complete);
  server.reset();
  for (int i = 0; i < 2; ++i) {
    const Observation seen = testee.observe(exchange_of({"a"}));
    EXPECT_EQ(seen.ending, Ending::unavailable);
    EXPECT_NE(seen.detail, "");
  }
}

TEST(HttpTestee, FailedStartIsReportedWithTheReason) {
  const auto supervisor = supervisor_for_test();
  const StopToken stop;
  TargetFile file;
  file.client = "kiro.eventstream";
  EXPECT_FALSE(HttpTestee(file, *supervisor, stop).start());
  file.client = "openai.chat";
  file.upstream_listen = "nowhere:at all";
  EXPECT_FALSE(HttpTestee(file, *supervisor, stop).start());
  file.upstream_listen = unused_address();
  file.listen = "https://127.0.0.1";
  EXPECT_FALSE(HttpTestee(file, *supervisor, stop).start());
}

// A program that crashes, always or once, if the client's message requests it.
class RelayProgram {
 public:
  explicit RelayProgram(std::vector<SetupStep> setup = {}) : supervisor_(supervisor_for_test()) {
    TargetFile file;
    file.setup = std::move(setup);
    file.name = "relay";
    file.client = file.upstream = "openai.chat";
    file.command = {std::getenv("SPLITPROOF_RELAY_PROGRAM"), "127.0.0.1", "{port}", "{upstream}",
                    "{dir}/crashed"};
    file.version = "echo relay 1";
    file.listen = "http://127.0.0.1:{port}";
    file.request_path = "/v1/chat/completions";
    file.timeout = milliseconds(500);
    file.max_concurrency = 4;
    folder_ = testing::TempDir() + "splitproof-targets-" + std::to_string(getpid());
    setenv("SPLITPROOF_TARGETS", folder_.c_str(), 1);
    testee_ = std::make_unique<HttpTestee>(file, *supervisor_, stop_);
    const Result<void> started = testee_->start();
    if (!started) failed_ = describe(started.error());
  }

  const std::string& failed() const { return failed_; }

  /// Returns the text of a file in its folder.
  std::string text(const std::string& name) const {
    std::ifstream file(folder_ + "/relay/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  ~RelayProgram() {
    testee_.reset();
    std::filesystem::remove_all(folder_);
  }

  const HttpTestee* operator->() const { return testee_.get(); }

 private:
  std::unique_ptr<Supervisor> supervisor_;
  StopToken stop_;
  std::string folder_;
  std::string failed_;
  std::unique_ptr<HttpTestee> testee_;
};

recording::Recording recording_that_says(const char* text) {
  recording::Recording recording;
  recording.protocol = "openai.chat";
  recording.headers = {{"content-type", "text/event-stream"}};
  const nlohmann::json message = {{"role", "user"}, {"content", text}};
  recording.requests = std::make_shared<const nlohmann::json>(
      nlohmann::json{{"openai.chat", {{"messages", nlohmann::json::array({message})}}}});
  return recording;
}

TEST(HttpTestee, CrashCountsOnlyForExchangesThatRepeatIt) {
  const RelayProgram relay;
  EXPECT_EQ(relay->remark(), "version: relay 1");
  Exchange exchange = exchange_of({"data: a\n\n"});
  const recording::Recording once = recording_that_says("crash once");
  exchange.recording = &once;
  exchange.name = "the first";
  EXPECT_EQ(relay->mishaps(), std::vector<UnattributedFailure>());
  const Observation well = relay->observe(exchange);
  EXPECT_EQ(well.ending, Ending::complete) << well.detail;
  EXPECT_EQ(well.body, "data: a\n\n");
  EXPECT_EQ(well.calls.size(), 1u);
  EXPECT_EQ(relay->remark(), "version: relay 1; restarted 1 time");
  const std::vector<UnattributedFailure> mishap{
      {Ending::crashed, "exit code 3", "crashing, as I was told", "the first"}};
  EXPECT_EQ(relay->mishaps(), mishap);

  const recording::Recording always = recording_that_says("crash always");
  exchange.recording = &always;
  const Observation crashed = relay->observe(exchange);
  EXPECT_EQ(crashed.ending, Ending::crashed);
  EXPECT_NE(crashed.detail.find("it ended with exit code 3"), std::string::npos) << crashed.detail;
  EXPECT_NE(crashed.detail.find("its last output: crashing, as I was told"), std::string::npos)
      << crashed.detail;

  exchange.recording = nullptr;
  EXPECT_EQ(relay->observe(exchange).body, "data: a\n\n");
  EXPECT_EQ(relay->mishaps(), mishap) << "what a case brings about again is that case's";
}

TEST(HttpTestee, CrashHarmsNoExchangeThatIsUnderWay) {
  const RelayProgram relay;
  const recording::Recording always = recording_that_says("crash always");
  std::atomic<std::size_t> wrong = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < 10; ++i) {
        Exchange exchange = exchange_of({"data: a\n\n", "data: b\n\n"});
        const bool crashes = thread == 0 && i % 5 == 4;
        if (crashes) exchange.recording = &always;
        const Observation seen = relay->observe(exchange);
        if (crashes ? seen.ending != Ending::crashed : seen.body != "data: a\n\ndata: b\n\n") ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0u);
  // Each crash costs one start before the second try and one after it, however many exchanges it broke off.
  EXPECT_EQ(relay->remark(), "version: relay 1; restarted 4 times");
  EXPECT_EQ(relay->mishaps(), std::vector<UnattributedFailure>())
      << "one of the exchanges that each broke off is to blame";
}

TEST(HttpTestee, HangingTesteeIsRestarted) {
  const RelayProgram relay;
  Exchange exchange = exchange_of({"data: a\n\n"});
  const recording::Recording hang = recording_that_says("hang for good");
  exchange.recording = &hang;
  EXPECT_EQ(relay->observe(exchange).ending, Ending::hung);
  exchange.recording = nullptr;
  EXPECT_EQ(relay->observe(exchange).body, "data: a\n\n");
  EXPECT_EQ(relay->remark(), "version: relay 1; restarted 2 times") << "before it is asked again, and after";
  EXPECT_EQ(relay->mishaps(), std::vector<UnattributedFailure>()) << "it was ended by the harness";
}

TEST(HttpTestee, StepsOfSetUpAreDoneAfterEachStart) {
  const RelayProgram relay(
      {{"echo {upstream_port} >> {dir}/ran", {}, {}, {}, {}}, {{}, "PUT", "/setup", {}, "at {upstream}"}});
  ASSERT_EQ(relay.failed(), "");
  const std::string ran = relay.text("ran");
  const std::string once = "PUT at http://127.0.0.1:" + ran;
  EXPECT_EQ(relay.text("crashed.setup"), once);
  const recording::Recording crashing = recording_that_says("crash once");
  Exchange exchange = exchange_of({"data: a\n\n"});
  exchange.recording = &crashing;
  EXPECT_EQ(relay->observe(exchange).ending, Ending::complete);
  EXPECT_EQ(relay.text("ran"), ran + ran);
  EXPECT_EQ(relay.text("crashed.setup"), once + once);
}

TEST(HttpTestee, FailedStepOfTheSetupIsReported) {
  const auto failure = [](std::vector<SetupStep> setup) { return RelayProgram(std::move(setup)).failed(); };
  const std::string command = failure({{"echo no such provider >&2; exit 3", {}, {}, {}, {}}});
  EXPECT_NE(command.find("step 1 of setup, 'echo no such provider >&2; exit 3', failed with exit code 3"),
            std::string::npos)
      << command;
  EXPECT_NE(command.find("\n  no such provider"), std::string::npos) << command;
  const std::string request = failure({{"true", {}, {}, {}, {}}, {{}, "POST", "/", {}, "refuse"}});
  EXPECT_NE(request.find("step 2 of setup, 'POST /', failed with status 503"), std::string::npos) << request;
}

TEST(HttpTestee, TesteeInCooldownIsRestarted) {
  const RelayProgram relay;
  const recording::Recording cooling = recording_that_says("cool down");
  Exchange exchange = exchange_of({"{}"});
  exchange.recording = &cooling;
  exchange.status = 429;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(relay->observe(exchange).calls.size(), 1u);
  EXPECT_NE(relay->remark().find("restarted 2 times"), std::string::npos) << relay->remark();
  EXPECT_NE(relay->remark().find("called again after a restart"), std::string::npos) << relay->remark();
}

TEST(HttpTestee, TesteeWithoutUpstreamCallsIsRestartedOnce) {
  const RelayProgram relay;
  const recording::Recording refused = recording_that_says("refuse");
  Exchange exchange = exchange_of({"{}"});
  exchange.recording = &refused;
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(relay->observe(exchange).calls.empty());
  EXPECT_EQ(relay->remark().find("restarted"), std::string::npos) << "its upstream had not refused";
  exchange.status = 429;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(relay->observe(exchange).calls.empty());
  EXPECT_NE(relay->remark().find("restarted 1 time"), std::string::npos) << relay->remark();
}

TEST(HttpTestee, OpenConnectionsOfATesteeAreNotWaitedForLong) {
  HttpTimeouts timeouts;
  timeouts.closing = milliseconds(400);
  const RelayedTestee relayed(
      [](const std::string&, RawConnection& client, const UpstreamRequest&) {
        client.send("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        client.wait_for_end();
      },
      {}, timeouts);
  for (int i = 0; i < 8; ++i) relayed->observe(exchange_of({"a"}));
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(relayed->observe(exchange_of({"a"})).body, "ok");
  EXPECT_LT(std::chrono::steady_clock::now() - began, 20 * timeouts.closing);
  EXPECT_NE(relayed->remark().find("keeps connections open"), std::string::npos) << relayed->remark();
}

TEST(HttpTestee, PlacesInTheHeadersOfRequestsAreFilledIn) {
  std::string seen, upstream;
  const RelayedTestee relayed(
      [&](const std::string& upstream_url, RawConnection& client, const UpstreamRequest& request) {
        upstream = upstream_url;
        if (const std::string* base = find_header(request.headers, "x-base")) seen = *base;
        client.send("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
      },
      [](TargetFile& file) {
        file.headers.push_back({"x-base", "{upstream}/v1 {other}"});
      });
  relayed->observe(exchange_of({"a"}));
  EXPECT_EQ(seen, upstream + "/v1 {other}");
}

}  // namespace
}  // namespace splitproof::testee::http_testee_test
