#include "proxy/server/translations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "tests/proxy/server/served.hpp"

namespace splitproof::server::translations_test {
namespace {

using std::chrono::milliseconds;

// Returns a request for a stream with this many bytes of text.
std::string request_of(std::size_t bytes) {
  return R"({"stream":true,"model":"m","max_tokens":9,"messages":[{"role":"user","content":")" +
         std::string(bytes, 'x') + "\"}]}";
}

struct Bench {
  std::shared_ptr<Translations::Job> add(std::size_t bytes) {
    auto job = std::make_shared<Translations::Job>(Translations::Job{
        loop, *parse_head("POST /v1/messages HTTP/1.1\r\nHost: p\r\n\r\n"), request_of(bytes), 1, false});
    job->done = [this, of = job.get()] { done.push_back(of); };
    translations.add(job);
    return job;
  }

  // Translates in one thread until this many are done.
  void translate(std::size_t count) {
    std::thread thread([this] { translations.run(); });
    const auto until = std::chrono::steady_clock::now() + kTimeout;
    while (done.size() < count && std::chrono::steady_clock::now() < until) loop.step(milliseconds(10));
    translations.end();
    thread.join();
    loop.step(milliseconds(0));
  }

  explicit Bench(std::size_t most) : settings(with(most)) {}

  static ServerSettings with(std::size_t most) {
    ServerSettings settings;
    settings.limits.request_bytes = 1;
    settings.limits.bodies_bytes = most;
    settings.upstream = "http://127.0.0.1:9/v1/chat/completions";
    return settings;
  }

  const ServerSettings settings;
  EventLoop loop;
  std::vector<Translations::Job*> done;
  Translations translations{settings};
};

TEST(Translations, SmallestComesFirst) {
  Bench bench(10'000'000);
  std::vector<std::shared_ptr<Translations::Job>> jobs;
  for (const std::size_t size : {70'000, 5'000, 900'000, 5'001, 300'000, 600})
    jobs.push_back(bench.add(size));
  bench.translate(jobs.size());
  ASSERT_EQ(bench.done.size(), jobs.size());
  std::vector<std::size_t> sizes;
  for (const auto* job : bench.done) {
    ASSERT_TRUE(job->outcome.call);
    EXPECT_FALSE(job->refused);
    EXPECT_EQ(job->body.capacity(), std::string().capacity()) << "what was translated is held";
    sizes.push_back(job->outcome.call->post.body.size());
  }
  EXPECT_TRUE(std::is_sorted(sizes.begin(), sizes.end()));
}

TEST(Translations, LargestJobsAreRefusedIfTheQueueIsFull) {
  Bench bench(100'000);
  std::vector<std::shared_ptr<Translations::Job>> small;
  for (int i = 0; i < 5; ++i) small.push_back(bench.add(9'000));
  const auto large = bench.add(50'000);  // there is still room
  bench.loop.step(milliseconds(0));
  EXPECT_TRUE(bench.done.empty());
  const auto larger = bench.add(90'000);  // there is no room
  const auto next = bench.add(9'000);     // the first large one has to make it
  bench.loop.step(milliseconds(0));
  EXPECT_EQ(bench.done, (std::vector<Translations::Job*>{larger.get(), large.get()}));
  EXPECT_TRUE(large->refused && larger->refused);
  EXPECT_EQ(large->body.capacity(), std::string().capacity());
  bench.translate(8);
  EXPECT_EQ(bench.done.size(), 8U);
  for (const auto& job : small) EXPECT_TRUE(job->outcome.call && !job->refused);
  EXPECT_TRUE(next->outcome.call);
}

TEST(Translations, DroppedJobNeverBegins) {
  Bench bench(10'000'000);
  const auto dropped = bench.add(5'000);
  const auto kept = bench.add(6'000);
  dropped->done = nullptr;
  bench.translations.drop(dropped);
  bench.translations.drop(dropped);  // it is gone already
  bench.translate(1);
  EXPECT_EQ(bench.done, std::vector<Translations::Job*>{kept.get()});
  EXPECT_FALSE(dropped->outcome.call);
  EXPECT_EQ(dropped.use_count(), 1);
}

TEST(Translations, WaitingJobsStayAtTheEnd) {
  Bench bench(10'000'000);
  const auto job = bench.add(5'000);
  bench.translations.end();
  bench.translations.run();
  bench.loop.step(milliseconds(0));
  EXPECT_TRUE(bench.done.empty());
  EXPECT_FALSE(job->outcome.call);
}

// Around the size for translation in another thread, the upstream request is the same.
TEST(Translations, LargeAndSmallRequestsAreTranslatedTheSame) {
  const Served served;
  for (const std::size_t size : {Translations::kLarge - 200, Translations::kLarge - 1, Translations::kLarge,
                                 Translations::kLarge + 1, 20 * Translations::kLarge}) {
    std::string body = request_of(0);
    body = request_of(size - body.size());
    ASSERT_EQ(body.size(), size);
    auto [client, connection, request] = served.ask(body);
    EXPECT_NE(request.body.find(std::string(size - 200, 'x')), std::string::npos);
    connection.begin_stream();
    connection.chunk(text_event("answer") + kFinish);
    connection.last_chunk();
    client.read_all();
    EXPECT_TRUE(client.whole());
    EXPECT_NE(client.body().find("answer"), std::string::npos);
    // Invalid requests are refused the same way too, and the connection stays open.
    client.next_response();
    body.back() = ']';
    client.post(kMessages, body);
    client.read_all();
    EXPECT_EQ(client.status(), 400) << client.body();
    client.next_response();
    client.post(kMessages, "{}");
    client.read_all();
    EXPECT_EQ(client.status(), 400) << client.body();
  }
}

}  // namespace
}  // namespace splitproof::server::translations_test
