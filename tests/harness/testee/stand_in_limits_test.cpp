#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "harness/testee/stand_in.hpp"
#include "tests/harness/testee/reading_client.hpp"

namespace splitproof::testee::stand_in_limits_test {
namespace {

std::unique_ptr<StandIn> started() {
  auto stand_in = StandIn::start({});
  EXPECT_TRUE(stand_in) << describe(stand_in.error());
  return *std::move(stand_in);
}

ResponseScript told() {
  ResponseScript script;
  script.pieces = {"data: a\n\n"};
  return script;
}

std::string asked(const StandIn& stand_in, const std::string& body) {
  ReadingClient client(stand_in.base_url());
  client.post("/token", body);
  return client.read_one_response().body;
}

TEST(StandInLimits, OfManyCallsTheFirstAreKeptAndAllAreAnswered) {
  const auto stand_in = started();
  const auto answer = stand_in->prepare("/token", told());
  const std::size_t most = PreparedAnswer::kMostCalls;
  for (std::size_t i = 0; i < most; ++i) {
    EXPECT_EQ(asked(*stand_in, std::to_string(i)), "data: a\n\n");
    ASSERT_TRUE(answer->wait_until_served(i + 1, kTimeout));
  }
  EXPECT_EQ(answer->excess(), "");
  EXPECT_EQ(asked(*stand_in, "more"), "data: a\n\n");
  ASSERT_TRUE(answer->wait_until_served(most + 1, kTimeout));
  EXPECT_TRUE(answer->wait_until_idle(kTimeout));
  ASSERT_EQ(answer->served().size(), most);
  for (std::size_t i = 0; i < most; ++i) EXPECT_EQ(answer->served()[i].request.body, std::to_string(i));
  EXPECT_EQ(answer->excess(), "the target called its upstream more than 64 times for one request");
}

TEST(StandInLimits, OfLargeCallsThoseAreKeptThatTogetherAreNotTooLarge) {
  const auto stand_in = started();
  const auto answer = stand_in->prepare("/token", told());
  answer->keep_at_most(30);
  std::size_t made = 0;
  for (const std::size_t size : {10, 20, 0}) {
    asked(*stand_in, std::string(size, 'x'));
    ASSERT_TRUE(answer->wait_until_served(++made, kTimeout));
    EXPECT_EQ(answer->served().size(), made);
    EXPECT_EQ(answer->excess(), "");
  }
  for (const std::size_t size : {1, 0}) {  // later bytes are not kept either: there is no gap
    asked(*stand_in, std::string(size, 'x'));
    ASSERT_TRUE(answer->wait_until_served(++made, kTimeout));
    EXPECT_EQ(answer->served().size(), 3U);
    EXPECT_EQ(answer->excess(), "the target sent its upstream more than 30 bytes for one request");
  }
}

TEST(StandInLimits, AConnectionThatAsksTakesThePlaceOfOneThatWaits) {
  const auto stand_in = started();
  const auto answer = stand_in->prepare("/token", told());
  std::vector<std::unique_ptr<ReadingClient>> idle;
  for (std::size_t i = 0; i < StandIn::kMostConnections; ++i)
    idle.push_back(std::make_unique<ReadingClient>(stand_in->base_url()));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(asked(*stand_in, "x"), "data: a\n\n");
  // The longest wait depends on the start of the threads.
  const auto gave_way = [](const auto& client) {
    return client->read_all(std::chrono::milliseconds(5)) == ReadingClient::Got::end;
  };
  EXPECT_TRUE(std::any_of(idle.begin(), idle.end() - 1, gave_way));
  idle.back()->post("/token", "x");
  EXPECT_EQ(idle.back()->read_one_response().body, "data: a\n\n") << "the last has not";
}

TEST(StandInLimits, WhereAllAreBusyNoMoreAreTaken) {
  const auto stand_in = started();
  std::vector<std::unique_ptr<ReadingClient>> begun;
  for (std::size_t i = 0; i < StandIn::kMostConnections; ++i) {
    begun.push_back(std::make_unique<ReadingClient>(stand_in->base_url()));
    begun.back()->send("POST / HTTP/1.1\r\nhost: u\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n");
    ASSERT_EQ(begun.back()->read_once(kTimeout), ReadingClient::Got::bytes) << "it is invited to go on";
  }
  ReadingClient more(stand_in->base_url());
  EXPECT_NE(more.read_all(), ReadingClient::Got::bytes);
  begun.front()->send("xx");
  EXPECT_EQ(begun.front()->read_all(std::chrono::milliseconds(200)), ReadingClient::Got::silence);
  EXPECT_NE(begun.front()->text().find(" 501 "), std::string::npos) << begun.front()->text();
}

TEST(StandInLimits, BodiesThatAreReadAtOnceShareTheirRoom) {
  const auto stand_in = started();
  const std::string half(BodiesUnderWay::kMost / 2, 'x');
  const std::string head =
      "POST / HTTP/1.1\r\nhost: u\r\ncontent-length: " + std::to_string(half.size() + 2) + "\r\n\r\n";
  std::vector<std::unique_ptr<ReadingClient>> clients;
  std::size_t gone = 0;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(std::make_unique<ReadingClient>(stand_in->base_url()));
    gone += clients.back()->send(head + half + "x") ? 0 : 1;
  }
  for (const auto& client : clients) {
    client->send("x");
    const auto got = client->read_all(std::chrono::milliseconds(500));
    gone += client->text().empty() && got != ReadingClient::Got::silence ? 1 : 0;
  }
  EXPECT_GE(gone, 1U);
  clients.clear();
  EXPECT_NE(asked(*stand_in, half), "") << "what ended makes room";
}

}  // namespace
}  // namespace splitproof::testee::stand_in_limits_test
