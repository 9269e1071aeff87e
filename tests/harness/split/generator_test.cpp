#include "harness/split/generator.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/harness/split/formats.hpp"
#include "tests/planned.hpp"

namespace splitproof::split::generator_test {
namespace {

constexpr std::string_view kBody = "data: [12]\n\n";
//                                  0123456789ab  12 bytes
const std::vector<std::size_t> kArrivals = {0, 7, 7, 3, 12, 99};

TEST(CutsOf, ResolvesEveryKindOfLabel) {
  const std::vector<std::pair<std::string, Cuts>> rows = {
      {"gen=recorded", {3, 7}},
      {"gen=timed", {3, 7}},
      {"gen=timed:0.5", {3, 7}},
      {"gen=whole", {}},
      {"gen=bytes", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
      {"gen=seam:0", {1}},
      {"gen=seam:1", {1}},
      {"gen=seam:2", {2}},
      {"gen=seams:structure", {7, 9}},
      {"gen=seams:number", {8}},
      {"gen=seams:field-name", {1, 2, 3}},
      {"cuts=3", {3}},
      {"cuts=1,10,11", {1, 10, 11}},
  };
  for (const auto& [label, cuts] : rows) {
    SCOPED_TRACE(label);
    EXPECT_EQ(cuts_of(label, kBody, kArrivals, kEvents), Result<Cuts>(cuts));
  }
}

TEST(CutsOf, EventsAndTheirTail) {
  const std::string_view body = ":x\n\n\ndata:a\n\n:x\n\ndata:b\r\n\r\ndata:c\n\n:x\ndata:d\n\n\ndata:e\n\n";
  std::vector<std::size_t> ends;  // of the events, the last one included
  for (const std::string_view event :
       {"data:a\n\n", "data:b\r\n\r\n", "data:c\n\n", "data:d\n\n", "data:e\n\n"})
    ends.push_back(body.find(event) + event.size());
  const std::vector<std::pair<std::string, Cuts>> rows = {
      {"gen=events", {ends[0], ends[1], ends[2], ends[3]}},
      {"gen=tail:0", {}},
      {"gen=tail:1", {ends[3]}},
      {"gen=tail:2", {ends[2]}},
      {"gen=tail:5", {ends[1], ends[3]}},
      {"gen=tail:15", {ends[0], ends[1], ends[2], ends[3]}},
  };
  for (const auto& [label, cuts] : rows) {
    SCOPED_TRACE(label);
    EXPECT_EQ(cuts_of(label, body, {}, kEvents), Result<Cuts>(cuts));
  }
}

TEST(CutsOf, RandomLabelsNameIndexAndSeed) {
  const auto a = cuts_of("gen=random:5:seed7", kBody, {}, kEvents);
  const auto b = cuts_of("gen=random:6:seed7", std::string(4000, 'x'), {}, kEvents);
  const auto c = cuts_of("gen=random:6:seed8", std::string(4000, 'x'), {}, kEvents);
  ASSERT_TRUE(a && b && c);
  EXPECT_FALSE(a->empty());
  EXPECT_NE(*b, *c);
}

TEST(CutsOf, InvalidCutsAreReported) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"gen=seam:13", "there is no seam 13; this body has 13 seams, counted from 0"},
      {"gen=seams:bom", "this body has no seam of kind bom"},
      {"gen=tail:1", "this body has only 0 events that another follows; gen=tail:1 is about more"},
      {"gen=tail:03", "'gen=tail:03' names no split; did you mean gen=tail:3?"},
      {"gen=timed:1", "'gen=timed:1' names no split; did you mean gen=timed?"},
      {"gen=timed:4.0", "'gen=timed:4.0' names no split; did you mean gen=timed:4?"},
      {"cuts=12", "cut 12 is outside a body of 12 bytes; use offsets from 1 to 11"},
      {"cuts=0", "cut 0 is outside a body of 12 bytes; use offsets from 1 to 11"},
      {"cuts=4,4", "cut 4 comes after cut 4; give offsets in strictly increasing order"},
      {"cuts=4,3", "cut 3 comes after cut 4; give offsets in strictly increasing order"},
      {"gen=seam:07", "'gen=seam:07' names no split; did you mean gen=seam:7?"},
      {"gen=seam:7x", "'gen=seam:7x' names no split; did you mean gen=seam:7?"},
      {"gen=random:1:seed2:3", "'gen=random:1:seed2:3' names no split; did you mean gen=random:1:seed2?"},
      {"cuts=1 ,2", "'cuts=1 ,2' names no split; did you mean cuts=1?"},
      {"cuts=1,2;", "'cuts=1,2;' names no split; did you mean cuts=1,2?"},
  };
  for (const auto& [label, error] : rows) {
    SCOPED_TRACE(label);
    const auto cuts = cuts_of(label, kBody, {}, kEvents);
    ASSERT_FALSE(cuts);
    EXPECT_EQ(describe(cuts.error()), error);
  }
}

TEST(CutsOf, UnknownLabelListsTheValidLabels) {
  for (const std::string label : {"",
                                  "whole",
                                  "gen=",
                                  "gen=Whole",
                                  "gen=timed:",
                                  "gen=timed:0",
                                  "gen=timed:-4",
                                  "gen=timed:nan",
                                  "gen=timed:inf",
                                  "gen=timed:10001",
                                  "gen=seam:",
                                  "gen=seam:-1",
                                  "gen=seam:99999999999999999999",
                                  "gen=seams:",
                                  "gen=seams:utf8",
                                  "gen=random:1",
                                  "gen=random:1:7",
                                  "gen=random::seed7",
                                  "gen=random:1:seed",
                                  "gen=random:1:seed18446744073709551616",
                                  "gen=sweep:3",
                                  "gen=tail:",
                                  "gen=tail:16",
                                  "cuts=",
                                  "cuts=,",
                                  "cuts=1,",
                                  "cuts=-1",
                                  "cuts=x",
                                  "recut=char"}) {
    SCOPED_TRACE(label);
    const auto cuts = cuts_of(label, kBody, {}, kEvents);
    ASSERT_FALSE(cuts);
    EXPECT_EQ(cuts.error().what, "'" + label + "' names no split");
    EXPECT_NE(cuts.error().hint.find("gen=random:NUMBER:seedSEED"), std::string::npos);
  }
}

TEST(CutsOf, BodiesTooShortToCut) {
  for (const std::string_view body : {"", "x"}) {
    for (const std::string_view label : {"gen=recorded", "gen=whole", "gen=bytes", "gen=random:0:seed0"}) {
      EXPECT_EQ(cuts_of(label, body, {0, 1}, kEvents), Result<Cuts>(Cuts{})) << label;
    }
    EXPECT_FALSE(cuts_of("gen=seam:0", body, {}, kEvents));
    EXPECT_FALSE(cuts_of("cuts=1", body, {}, kEvents));
  }
}

TEST(Generator, LabelsReadBack) {
  const std::vector<Generator> generators = {Timed{},          Timed{0.1},
                                             Timed{0.01},      Timed{10'000},
                                             AsRecorded{},     Whole{},
                                             ByteByByte{},     AtEvents{},
                                             AtTail{0},        AtTail{15},
                                             AtSeam{17},       AtSeamsOf{SeamKind::between_surrogates},
                                             AtRandom{5, 7},   AtRandom{0, UINT64_MAX},
                                             AtCuts{{12, 340}}};
  for (const Generator& generator : generators) {
    SCOPED_TRACE(label(generator));
    const auto read = parse_generator(label(generator));
    ASSERT_TRUE(read);
    EXPECT_TRUE(*read == generator);
  }
}

}  // namespace
}  // namespace splitproof::split::generator_test
