#include "harness/campaign/case.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "harness/campaign/variations.hpp"
#include "project.hpp"

namespace splitproof::campaign::case_test {
namespace {

TEST(Case, EveryPlannedOneRoundTripsThroughItsId) {
  for (const recording::Recording& recording : project().corpus.recordings) {
    std::set<std::string> ids;
    std::size_t cases = 0;
    for_each_variation(recording, "anthropic.messages", {{2, true, 7}, 2, recording.body.size() < 600}, "",
                       [&](const Variation& variation) {
                         return variation.for_each_case([&](const Case& one, const split::Cuts&) {
                           EXPECT_EQ(parse_case(to_string(one)), one) << to_string(one);
                           ids.insert(to_string(one));
                           ++cases;
                           return !testing::Test::HasFailure();
                         });
                       });
    EXPECT_EQ(ids.size(), cases) << "two cases have one id";
  }
}

// Takes a sample, because making one case from its id costs as much as making all.
TEST(Case, MeansTheUpstreamThatWasPlanned) {
  std::size_t checked = 0;
  for (const recording::Recording& recording : project().corpus.recordings) {
    std::size_t number = 0;
    for_each_variation(recording, "anthropic.messages", {{2, false, 7}, 2, true}, "",
                       [&](const Variation& variation) {
                         if (variation.as_recorded.fault && ++number % 97 != 0) return true;
                         return variation.for_each_case([&](const Case& one, const split::Cuts& cuts) {
                           const std::string id = to_string(one);
                           const auto upstream = upstream_of(parse_case(id).value(), recording);
                           EXPECT_TRUE(upstream) << id;
                           if (!upstream) return false;
                           EXPECT_EQ(upstream->body, variation.as_arrived.body) << id;
                           EXPECT_EQ(upstream->end, variation.as_arrived.end) << id;
                           EXPECT_EQ(upstream->cuts, cuts) << id;
                           ++checked;
                           return !testing::Test::HasFailure();
                         });
                       });
  }
  EXPECT_GT(checked, 10000U);
}

TEST(Case, MissingPartsOfAnIdHaveDefaults) {
  Case one{"a/b"};
  EXPECT_EQ(parse_case("a/b"), one);
  one.client = "sse";
  EXPECT_EQ(parse_case("a/b?client=sse"), one);
  one.split = split::AtSeam{1};
  EXPECT_EQ(parse_case("a/b?gen=seam:1&client=sse"), one);
  one.split = split::AtCuts{{3}};
  EXPECT_EQ(parse_case("a/b?client=sse&cuts=3"), one);
  Case dealt{"a"};
  dealt.recut = "char";
  EXPECT_EQ(parse_case("a?recut=char"), dealt);
  dealt.recut.clear();
  dealt.fault = Fault{Fault::Kind::reset, 118};
  dealt.split = split::Whole{};
  EXPECT_EQ(parse_case("a?fault=reset@118&gen=whole"), dealt);
  Case framed{"a"};
  framed.frames = {observe::FrameStyle::Kind::sized, 126};
  framed.client = "sse";
  EXPECT_EQ(parse_case("a?client=sse&frames=126"), framed);
  EXPECT_EQ(parse_case(to_string(framed)), framed);
  for (const char* other : {"a?frames=whole", "a?frames=127", "a?frames=", "a?frames=halves&frames=bytes"})
    EXPECT_FALSE(parse_case(other)) << other;
  Case second{"a"};
  second.turn = Turn::second;
  EXPECT_EQ(parse_case("a?turn=2"), second);
  second.turn = Turn::reversed;
  EXPECT_EQ(parse_case("a?turn=2:reversed"), second);
  second.turn = Turn::third;
  EXPECT_EQ(parse_case("a?turn=3"), second);
  second.turn = Turn::whole;
  EXPECT_EQ(parse_case("a?turn=whole"), second);
  for (const char* other : {"a?turn=1", "a?turn=4", "a?turn=2:other", "a?turn=", "a?turn=2&turn=2"})
    EXPECT_FALSE(parse_case(other)) << other;
}

TEST(Case, MalformedIdIsRefused) {
  for (const char* broken : {"",
                             "?",
                             "?gen=whole",
                             "a?",
                             "a?&",
                             "a?client",
                             "a?client=",
                             "a?gen",
                             "a?gen=",
                             "a?cuts",
                             "a?cuts=",
                             "a?gen=whole&",
                             "a?&gen=whole",
                             "a?gen=whole&&client=sse",
                             "a?gen=whole&gen=whole",
                             "a?gen=whole&cuts=1",
                             "a?client=sse&client=sse",
                             "a?Gen=whole",
                             "a? gen=whole",
                             "a?seam=3",
                             "a?=",
                             "a?recut=",
                             "a?fault=",
                             "a?recut=char&recut=char",
                             "a?fault=reset@118&fault=reset@118",
                             "a?gen=whole&x"}) {
    SCOPED_TRACE(broken);
    const auto one = parse_case(broken);
    ASSERT_FALSE(one);
    EXPECT_NE(one.error().what.find(broken), std::string::npos);
    EXPECT_FALSE(one.error().hint.empty());
  }
}

TEST(Case, UnknownSplitOrFaultInAnIdIsRefused) {
  for (const char* broken :
       {"a?gen=none", "a?gen=whole?cuts=1", "a?cuts=x", "a?gen=seam:07", "a?fault=reset"})
    EXPECT_FALSE(parse_case(broken)) << broken;
}

}  // namespace
}  // namespace splitproof::campaign::case_test
