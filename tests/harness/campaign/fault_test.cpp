#include "harness/campaign/fault.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace splitproof::campaign {
namespace {

using recording::End;
using Kind = Fault::Kind;

TEST(Fault, IsPlannedAtEveryOffset) {
  for (const std::size_t size : {0U, 1U, 2U, 300U}) {
    SCOPED_TRACE(size);
    std::map<Kind, std::multiset<std::size_t>> offsets;
    for (const Fault& fault : plan_faults(size, 5)) {
      offsets[fault.kind].insert(fault.at);
      std::string body(size, 'x');
      End end = End::complete;
      EXPECT_TRUE(apply(fault, body, end)) << label(fault);
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
    std::string body = "abc";
    End end = End::complete;
    EXPECT_TRUE(apply(parse_fault(fault).value(), body, end));
    return std::pair(body, end);
  };
  EXPECT_EQ(after("close@2"), std::pair(std::string("ab"), End::closed));
  EXPECT_EQ(after("reset@0"), std::pair(std::string(), End::reset));
  EXPECT_EQ(after("stall@3"), std::pair(std::string("abc"), End::stall));
  EXPECT_EQ(after("flip@1:03"), std::pair(std::string("aac"), End::complete));
  EXPECT_EQ(after("flip@2:80"), std::pair(std::string("ab\xE3"), End::complete));
}

TEST(Fault, OutsideTheBodyIsRefused) {
  for (const char* fault : {"close@4", "reset@4", "stall@99", "flip@3:01"}) {
    std::string body = "abc";
    End end = End::complete;
    EXPECT_FALSE(apply(parse_fault(fault).value(), body, end)) << fault;
    EXPECT_EQ(body, "abc");
    EXPECT_EQ(end, End::complete);
  }
  std::string nothing;
  End end = End::complete;
  EXPECT_FALSE(apply(parse_fault("flip@0:01").value(), nothing, end));
}

TEST(Fault, OtherLabelsAreRefused) {
  for (const char* text :
       {"",           "close",     "close@",     "close@-1",  "close@ 1",
        "close@01",   "close@1 ",  "close@1:80", "Close@1",   "flip@1",
        "flip@1:",    "flip@1:00", "flip@1:0",   "flip@1:8a", "flip@1:100",
        "flip@1:80 ", "flip@:80",  "status:503", "drop@1",    "close@99999999999999999999999"}) {
    const auto fault = parse_fault(text);
    EXPECT_FALSE(fault) << text;
    if (!fault) {
      EXPECT_FALSE(fault.error().mend.empty());
    }
  }
  EXPECT_TRUE(parse_fault("flip@1:8A"));
}

}  // namespace
}  // namespace splitproof::campaign
