#include "harness/campaign/variations.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <vector>

#include "harness/split/random_cuts.hpp"
#include "project.hpp"

namespace splitproof::campaign {
namespace {

const std::string kClient = "anthropic.messages";
const Trials kTrials{{2, false, 7}, 2, true};

// The ids of the cases that `only` selects.
std::vector<std::string> ids(const recording::Recording& recording, const std::string& only) {
  std::vector<std::string> all;
  for_each_variation(recording, kClient, kTrials, only, [&](const Variation& variation) {
    return variation.for_each_case([&](const Case& one, const split::Cuts&) {
      all.push_back(to_string(one));
      return true;
    });
  });
  return all;
}

TEST(Variations, ACaseIsSelectedByItsIdAlone) {
  std::size_t checked = 0;
  for (const char* name : {"text-plain", "tool-parallel", "end-at-once"}) {
    const recording::Recording& recording = project().recording("openai.chat/" + std::string(name));
    for_each_variation(recording, kClient, kTrials, "", [&](const Variation& variation) {
      return variation.for_each_case([&](const Case& one, const split::Cuts& cuts) {
        if (one.fault && one.fault->at % 50 != 0) return true;
        EXPECT_EQ(ids(recording, to_string(one)), std::vector<std::string>{to_string(one)});
        // By the name in reports too, of which a case that is cut alike has the same.
        const std::string lasting_id = to_string(lasting(one, cuts));
        EXPECT_EQ(ids(recording, lasting_id), std::vector<std::string>{to_string(one)}) << lasting_id;
        ++checked;
        return !testing::Test::HasFailure();
      });
    });
  }
  EXPECT_GT(checked, 200U);
}

TEST(Variations, ThatAGlobSelectsAreThoseOfThePlan) {
  const recording::Recording& recording = project().recording("openai.chat/text-plain");
  const std::vector<std::string> plan = ids(recording, "");
  EXPECT_EQ(ids(recording, "*/text-plain"), plan);
  for (const std::string glob : {"*recut=*", "*&recut=seam:*&gen=whole", "*fault=clos?@1[02]*", "*gen=bytes",
                                 "*\\?client=*&gen=[rw]*"}) {
    std::vector<std::string> selected;
    for (const std::string& id : plan)
      if (selects(glob, parse_case(id).value())) selected.push_back(id);
    EXPECT_FALSE(selected.empty()) << glob;
    EXPECT_EQ(ids(recording, glob), selected) << glob;
  }
  for (const char* glob :
       {"text-plain", "*?client=openai.chat*", "*&recut=none*", "openai.chat/text-plain?", "*cuts=999999"})
    EXPECT_TRUE(ids(recording, glob).empty()) << glob;
}

TEST(Variations, OfEqualOnesTheFirstThatIsSelectedIsTried) {
  const recording::Recording& recording = project().recording("openai.chat/text-plain");
  const std::vector<std::string> plan = ids(recording, "");
  const std::string whole = recording.id + "?client=" + kClient + "&gen=whole";
  const std::string tail = recording.id + "?client=" + kClient + "&gen=tail:0";
  EXPECT_EQ(std::count(plan.begin(), plan.end(), whole), 1);
  EXPECT_EQ(std::count(plan.begin(), plan.end(), tail), 0);
  EXPECT_EQ(ids(recording, tail), std::vector<std::string>{tail});
}

// Made of pieces of ids, so that many of them match.
std::string random_glob(const std::string& id, split::SplitMix64& random) {
  std::string glob;
  for (std::size_t at = 0; at < id.size();) {
    const std::size_t next = at + 1 + random.below(12);
    const std::string piece = id.substr(at, next - at);
    const std::string forms[] = {
        piece, piece, piece, "*", std::string(piece.size(), '?'), "[!x]" + piece.substr(1)};
    glob += forms[random.below(std::size(forms))];
    at = next;
  }
  return glob;
}

TEST(Variations, NoCaseIsLeftOutByItsBeginning) {
  split::SplitMix64 random(7);
  const std::string id = "openai.chat/text-plain?client=anthropic.messages&recut=seam:word:3&gen=whole";
  const Case one = parse_case(id).value();
  std::size_t selected = 0;
  std::size_t refused = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::string glob = random_glob(id, random);
    if (!selects(glob, one)) continue;
    ++selected;
    for (std::size_t size = 0; size <= id.size(); ++size) {
      ASSERT_TRUE(may_select(glob, one.recording, id.substr(0, size))) << glob << " " << size;
      if (size > 0) refused += may_select(glob, one.recording, id.substr(0, size - 1) + "#") ? 0 : 1;
    }
  }
  std::cout << selected << " globs that match, " << refused << " beginnings that none of them can\n";
  EXPECT_GT(selected, 500U);
  EXPECT_GT(refused, 500U);
}

}  // namespace
}  // namespace splitproof::campaign
