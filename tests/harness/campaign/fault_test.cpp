#include "harness/campaign/fault.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "harness/campaign/upstream.hpp"
#include "harness/dialect/openai_chat/reading.hpp"

namespace splitproof::campaign::fault_test {
namespace {

using recording::End;
using Kind = Fault::Kind;

TEST(Fault, IsPlannedAtEveryOffset) {
  for (const std::size_t size : {0U, 1U, 2U, 300U}) {
    SCOPED_TRACE(size);
    std::map<Kind, std::multiset<std::size_t>> offsets;
    for (const Fault& fault : plan_faults(size, 5)) {
      offsets[fault.kind].insert(fault.at);
      Upstream upstream{std::string(size, 'x'), {}, End::complete};
      EXPECT_TRUE(apply(fault, "openai.chat", upstream)) << label(fault);
      EXPECT_EQ(parse_fault(label(fault)), fault);
    }
    for (const Kind kind : {Kind::close, Kind::reset, Kind::stall}) {
      EXPECT_EQ(offsets[kind].size(), size + 1);
      for (std::size_t at = 0; at <= size; ++at) EXPECT_EQ(offsets[kind].count(at), 1U) << at;
    }
    EXPECT_EQ(offsets[Kind::flip].size(), 2 * size);
    for (std::size_t at = 0; at < size; ++at) EXPECT_EQ(offsets[Kind::flip].count(at), 2U) << at;
  }
}

TEST(Fault, LongBodyHasFaultsAtSpreadOffsets) {
  for (const std::size_t size : {kMostFaultyEverywhere + 1, std::size_t{3} << 20}) {
    SCOPED_TRACE(size);
    std::set<std::size_t> ends;
    for (const Fault& fault : plan_faults(size, 5)) {
      if (fault.kind == Kind::close) ends.insert(fault.at);
      EXPECT_TRUE(fault.kind != Kind::flip || fault.at < size);
    }
    EXPECT_EQ(ends.size(), kFaultPlaces + 1);
    EXPECT_EQ(*ends.begin(), 0U);
    EXPECT_EQ(*ends.rbegin(), size);
  }
}

TEST(Fault, FlipsOfAByteDiffer) {
  std::map<std::size_t, std::set<std::uint8_t>> flips;
  for (const Fault& fault : plan_faults(64, 9)) {
    if (fault.kind == Kind::flip) flips[fault.at].insert(fault.flips);
  }
  for (const auto& [at, bits] : flips) EXPECT_EQ(bits.size(), 2U) << at;
  EXPECT_NE(plan_faults(64, 9), plan_faults(64, 10)) << "the seed draws the second";
}

TEST(Fault, EndsOrDamagesTheBody) {
  const auto after = [](const char* fault) {
    Upstream upstream{"abc", {}, End::complete};
    EXPECT_TRUE(apply(parse_fault(fault).value(), "openai.chat", upstream));
    return std::pair(upstream.body, upstream.end);
  };
  EXPECT_EQ(after("close@2"), std::pair(std::string("ab"), End::closed));
  EXPECT_EQ(after("reset@0"), std::pair(std::string(), End::reset));
  EXPECT_EQ(after("stall@3"), std::pair(std::string("abc"), End::stall));
  EXPECT_EQ(after("flip@1:03"), std::pair(std::string("aac"), End::complete));
  EXPECT_EQ(after("flip@2:80"), std::pair(std::string("ab\xE3"), End::complete));
}

TEST(Fault, FaultOfTheExchangeLeavesTheBodyUnchanged) {
  Upstream left{"abc", {1}, End::closed};
  EXPECT_TRUE(apply(parse_fault("leave@3").value(), "openai.chat", left));
  EXPECT_EQ(left.leave_at, 3U);
  EXPECT_EQ(std::pair(left.body, left.end), std::pair(std::string("abc"), End::closed));

  for (const Fault& fault : plan_statuses()) {
    Upstream refused{"abc", {}, End::stall};
    EXPECT_TRUE(apply(fault, "openai.chat", refused));
    EXPECT_EQ(refused.status, fault.status);
    EXPECT_EQ(refused.end, End::complete);
    EXPECT_EQ(parse_fault(label(fault)), fault);
    dialect::ChatReading reading;
    reading.take_plain_body(refused.body);
    EXPECT_TRUE(reading.finished().error) << refused.body;
  }
}

TEST(Fault, StatusFaultHasAnErrorBodyOfTheUpstreamsProtocol) {
  const auto body = [](const char* fault, const char* protocol) {
    Upstream refused{"abc", {}, End::complete};
    EXPECT_TRUE(apply(parse_fault(fault).value(), protocol, refused));
    return refused.body;
  };
  EXPECT_EQ(
      body("status:529", "anthropic.messages"),
      R"({"type":"error","error":{"message":"this upstream answers 529 on purpose","type":"overloaded_error"}})");
  EXPECT_EQ(
      body("status:500", "openai.chat"),
      R"({"error":{"message":"this upstream answers 500 on purpose","type":"server_error","param":null,)"
      R"("code":null}})");
}

TEST(Fault, HttpFaultsArePlannedAtEndsOfEvents) {
  const std::vector<Fault> faults = plan_http_faults(50, {10, 20, 40});
  std::multiset<std::string> labels;
  for (const Fault& fault : faults) labels.insert(label(fault));
  EXPECT_EQ(labels,
            (std::multiset<std::string>{"close@0", "reset@0", "close@10", "reset@10", "close@20", "reset@20",
                                        "close@40", "reset@40", "close@50", "reset@50", "leave@20"}));
  EXPECT_EQ(plan_http_faults(0, {}), (std::vector<Fault>{{Kind::close, 0, 0}, {Kind::reset, 0, 0}}));
}

TEST(Fault, OutsideTheBodyIsRefused) {
  for (const char* fault : {"close@4", "reset@4", "stall@99", "leave@4", "flip@3:01"}) {
    Upstream upstream{"abc", {}, End::complete};
    EXPECT_FALSE(apply(parse_fault(fault).value(), "openai.chat", upstream)) << fault;
    EXPECT_EQ(upstream.body, "abc");
    EXPECT_EQ(upstream.end, End::complete);
    EXPECT_FALSE(upstream.leave_at);
  }
  Upstream nothing;
  EXPECT_FALSE(apply(parse_fault("flip@0:01").value(), "openai.chat", nothing));
}

TEST(Fault, OtherLabelsAreRefused) {
  for (const char* text :
       {"",           "close",      "close@",     "close@-1",    "close@ 1",
        "close@01",   "close@1 ",   "close@1:80", "Close@1",     "flip@1",
        "flip@1:",    "flip@1:00",  "flip@1:0",   "flip@1:8a",   "flip@1:100",
        "flip@1:80 ", "flip@:80",   "status@503", "drop@1",      "close@99999999999999999999999",
        "status:",    "status:200", "status:600", "status:0503", "status:503 ",
        "leave@",     "leave:1"}) {
    const auto fault = parse_fault(text);
    EXPECT_FALSE(fault) << text;
    if (!fault) {
      EXPECT_FALSE(fault.error().hint.empty());
    }
  }
  EXPECT_TRUE(parse_fault("flip@1:8A"));
}

}  // namespace
}  // namespace splitproof::campaign::fault_test
