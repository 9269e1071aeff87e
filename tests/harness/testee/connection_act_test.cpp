// Tests acts of the stand-in on a connection around an answer, over real sockets.

#include "harness/testee/connection_act.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "harness/testee/stand_in.hpp"
#include "tests/harness/testee/reading_client.hpp"

namespace splitproof::testee::connection_act_test {
namespace {

using Got = ReadingClient::Got;

std::unique_ptr<StandIn> started() {
  auto stand_in = StandIn::start({});
  if (!stand_in) {
    ADD_FAILURE() << describe(stand_in.error());
    std::abort();
  }
  return *std::move(stand_in);
}

ConnectionAct act_of(ConnectionSteps steps) { return {{std::move(steps)}}; }

TEST(ConnectionAct, SendsItsBytesAndEndsAsItsStepsSay) {
  using Kind = ConnectionStep::Kind;
  const std::string answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
  const std::string late = "HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\n\r\n";
  for (const Kind end : {Kind::write, Kind::close, Kind::reset}) {
    const auto stand_in = started();
    ConnectionSteps steps{
        {Kind::write, answer}, {Kind::wait}, {Kind::pause, {}, 0, std::chrono::milliseconds(1)}};
    steps.push_back({Kind::flood, late, 3 * late.size(), kTimeout});
    steps.push_back({end, end == Kind::write ? late : ""});
    const auto prepared = stand_in->prepare_act("/", json_response(404, "{}"), act_of(steps));
    ReadingClient client(stand_in->base_url());
    client.post("/v1", "{}");
    EXPECT_EQ(client.read_one_response().body, "ok");
    ASSERT_TRUE(prepared->wait_for_hold(1, kTimeout));
    EXPECT_TRUE(client.text().empty());  // it waits
    prepared->release();
    ASSERT_TRUE(prepared->wait_until_served(1, kTimeout));
    const std::size_t all = (end == Kind::write ? 4 : 3) * late.size();
    Got got = Got::bytes;
    const Deadline deadline = within(kTimeout);
    while (got == Got::bytes && client.text().size() < all && std::chrono::steady_clock::now() < deadline)
      got = client.read_once(kTimeout);
    if (end != Kind::reset) {  // a reset may discard sent bytes
      EXPECT_EQ(client.text().size(), all);
    }
    EXPECT_EQ(prepared->served()[0].written, answer.size() + all);
    if (end == Kind::write) {
      client.post("/v1", "{}");
      EXPECT_TRUE(prepared->wait_until_idle(kTimeout));
    } else {
      if (got == Got::bytes) got = client.read_all(kTimeout);
      EXPECT_EQ(got, end == Kind::close ? Got::end : Got::reset);
    }
  }
}

TEST(ConnectionAct, IsPlayedForPostAlone) {
  const auto stand_in = started();
  const auto prepared =
      stand_in->prepare_act("/", json_response(404, "{}"), act_of({{ConnectionStep::Kind::close}}));
  ReadingClient client(stand_in->base_url());
  client.send("GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n");
  EXPECT_EQ(client.read_one_response().status, 404);
  client.post("/v1", "{}");
  EXPECT_EQ(client.read_all(), Got::end);
  EXPECT_TRUE(client.text().empty());
}

TEST(ConnectionAct, HasStepsForEachAttemptOnItsKindOfConnection) {
  const ConnectionSteps close{{ConnectionStep::Kind::close}};
  const ConnectionSteps reset{{ConnectionStep::Kind::reset}};
  const ConnectionSteps answer{{ConnectionStep::Kind::write, "x"}};
  for (const ActOn on : {ActOn::any, ActOn::used, ActOn::fresh}) {
    const ConnectionAct act{{close, reset, answer}, on};
    for (std::size_t turn = 1; turn <= 3; ++turn) {
      const bool fits = on == ActOn::any || (on == ActOn::used) == (turn > 1);
      EXPECT_EQ(steps_for(act, 1, turn), fits ? close : answer);
      EXPECT_EQ(steps_for(act, 2, turn), reset);
      for (std::size_t attempt = 3; attempt < 6; ++attempt) EXPECT_EQ(steps_for(act, attempt, turn), answer);
    }
  }
}

TEST(ConnectionAct, FloodEndsWhereNobodyReads) {
  const auto stand_in = started();
  const ConnectionStep flood{ConnectionStep::Kind::flood, std::string(1 << 16, 'x'), std::size_t{1} << 40,
                             std::chrono::milliseconds(50)};
  const auto prepared =
      stand_in->prepare_act("/", json_response(404, "{}"), act_of({flood, {ConnectionStep::Kind::close}}));
  ReadingClient client(stand_in->base_url());
  client.post("/v1", "{}");
  ASSERT_TRUE(prepared->wait_until_served(1, kTimeout));
  EXPECT_GT(prepared->served()[0].written, 0u);
}

}  // namespace
}  // namespace splitproof::testee::connection_act_test
