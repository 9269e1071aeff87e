#include "harness/campaign/variations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/split/random_cuts.hpp"
#include "project.hpp"

namespace splitproof::campaign::variations_test {
namespace {

const std::string kClient = "anthropic.messages";
const Trials kTrials{{2, false, 7}, 2, true};

// Returns the ids of the cases that `only` selects.
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
        // By the name in reports too. Cases with the same cuts share it.
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

// Made of pieces of ids, so that many globs match.
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

// Content that a case sends: its body, its end, its cuts, and whether it is held back.
using Sent = std::tuple<std::string, recording::End, split::Cuts, bool>;

std::vector<Sent> sent(const recording::Recording& recording, const Trials& trials,
                       const std::string& only = {}) {
  std::vector<Sent> all;
  for_each_variation(recording, kClient, trials, only, [&](const Variation& variation) {
    return variation.for_each_case([&](const Case& one, split::Cuts cuts) {
      all.emplace_back(variation.as_arrived.body, variation.as_arrived.end, std::move(cuts), one.withheld());
      return true;
    });
  });
  return all;
}

TEST(Variations, SharesAreThePlanDealtOut) {
  for (const char* name : {"text-plain", "tool-parallel", "end-at-once", "thinking-then-tool"}) {
    const recording::Recording& recording = project().recording("openai.chat/" + std::string(name));
    for (const Round round : {Round::exact, Round::over_http}) {
      for (const std::string only : {"", "*gen=[rwb]*"}) {
        Trials trials{{2, true, 7}, 2, true, round};
        std::vector<Sent> plan = sent(recording, trials, only);
        std::vector<Sent> dealt;
        const Extent extent = extent_of(recording, kClient, trials, only);
        EXPECT_EQ(extent.cases, plan.size());
        for (const Share& share : by_worth({})) {
          trials.share = share;
          const std::vector<Sent> part = sent(recording, trials, only);
          EXPECT_TRUE(part.empty() || share.begin < extent.ranks) << share.begin;
          dealt.insert(dealt.end(), part.begin(), part.end());
        }
        std::sort(plan.begin(), plan.end());
        std::sort(dealt.begin(), dealt.end());
        EXPECT_EQ(dealt.size(), plan.size()) << name << " " << only;
        EXPECT_TRUE(dealt == plan) << name << " " << only;
      }
    }
  }
}

TEST(Variations, SharesGoUpFromOneUnbrokenRead) {
  const std::vector<Share> all = by_worth({});
  ASSERT_GT(all.size(), 3U);
  EXPECT_EQ(all[0], (Share{0, 1}));
  EXPECT_EQ(all[1], (Share{1, kQuick.end}));
  for (std::size_t i = 1; i < all.size(); ++i) {
    EXPECT_EQ(all[i].begin, all[i - 1].end);
    EXPECT_GT(all[i].end, all[i].begin);
  }
  EXPECT_EQ(all.back().end, Share().end);
  EXPECT_EQ(by_worth(kQuick), (std::vector<Share>{{0, 1}, {1, kQuick.end}}));
}

TEST(Variations, QuickOnesHaveAllKindsOfRecutsOverAllRecordings) {
  Trials trials{{32, false, 1}, 8, true};
  trials.share = kQuick;
  std::set<std::string> kinds;
  std::set<Fault::Kind> faults;
  for (const recording::Recording& recording : project().corpus.recordings) {
    std::vector<std::string> recuts;
    std::size_t splits = 0;
    std::size_t broken = 0;
    std::size_t turns = 0;
    for_each_variation(recording, kClient, trials, "", [&](const Variation& variation) {
      const Case& one = variation.as_recorded;
      if (one.fault) {
        ++broken;
        faults.insert(one.fault->kind);
      } else if (!one.recut.empty()) {
        recuts.push_back(one.recut);
      } else if (one.turn != Turn::first) {
        ++turns;
      } else {
        splits += variation.count();
      }
      return true;
    });
    EXPECT_LE(splits, 2U) << recording.id;
    EXPECT_GE(splits, 1U) << recording.id;
    EXPECT_LE(recuts.size(), 1U) << recording.id;
    EXPECT_LE(broken, 1U) << recording.id;
    EXPECT_EQ(turns, 3U) << recording.id;
    for (const std::string& recut : recuts) kinds.insert(recut.substr(0, recut.find(':')));
  }
  EXPECT_EQ(faults.size(), 4U) << "close, reset, stall and flip";
  for (const char* kind : {"call", "char", "finish", "role", "seam", "usage", "whole"})
    EXPECT_EQ(kinds.count(kind), 1U) << kind;
}

}  // namespace
}  // namespace splitproof::campaign::variations_test
