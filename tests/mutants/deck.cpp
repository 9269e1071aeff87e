#include "deck.hpp"

#include <algorithm>
#include <utility>

#include "harness/campaign/fault.hpp"
#include "harness/campaign/judgement.hpp"
#include "harness/campaign/recording_run.hpp"
#include "harness/dialect/dealers.hpp"
#include "harness/fnv1a.hpp"
#include "harness/split/generator.hpp"
#include "harness/split/plan.hpp"
#include "harness/split/random_cuts.hpp"
#include "harness/split/recut.hpp"

namespace splitproof::mutants {
namespace {

// As `splitproof run` has them.
constexpr std::size_t kRandomSplits = 32;
constexpr std::size_t kRandomRecuts = 8;
constexpr std::uint64_t kSeed = 1;

using Hand = std::vector<Dealt>;  // the cases of one recording

void add_splits(const recording::Recording& recording, Generator generator, std::size_t random, Hand& hand) {
  const split::Subject subject = campaign::subject_of(recording);
  const std::string lone = "gen=seam:";
  const std::string all = "gen=seams:";
  for (const split::Split& split : split::plan(subject, {random, false, kSeed})) {
    const bool seam = split.label.starts_with(lone) || split.label.starts_with(all);
    const bool drawn = split.label.starts_with("gen=random:");
    if (generator == Generator::plan || (generator == Generator::seams && seam) ||
        (generator == Generator::random && drawn))
      hand.push_back({&recording, {}, {}, split.label});
  }
}

void add_recuts(const recording::Recording& recording, Hand& hand) {
  for (const std::string& recut : split::plan_recuts(*dialect::dealer_of(recording.protocol), recording.body,
                                                     kRandomRecuts, false, kSeed)) {
    hand.push_back({&recording, recut, {}, split::label(split::AsRecorded{})});
    hand.push_back({&recording, recut, {}, split::label(split::Whole{})});
  }
}

Hand hand_of(const recording::Recording& recording, Generator generator, std::size_t most) {
  Hand hand;
  switch (generator) {
    case Generator::whole:
      return {{&recording, {}, {}, split::label(split::Whole{})}};
    case Generator::bytes:
      return {{&recording, {}, {}, split::label(split::ByteByByte{})}};
    case Generator::seams:
      add_splits(recording, generator, 0, hand);
      break;
    case Generator::random:
      for (std::size_t i = 0; i < most; ++i)
        hand.push_back({&recording, {}, {}, split::label(split::AtRandom{i, kSeed})});
      return hand;
    case Generator::recuts:
      add_recuts(recording, hand);
      break;
    case Generator::faults:
      for (const campaign::Fault& fault : campaign::plan_faults(recording.body.size(), kSeed))
        hand.push_back({&recording, {}, campaign::label(fault), split::label(split::AsRecorded{})});
      break;
    case Generator::plan:
      add_splits(recording, generator, kRandomSplits, hand);
      add_recuts(recording, hand);
      break;
  }
  split::SplitMix64 random(kSeed ^ fnv1a(recording.id));
  for (std::size_t i = hand.size(); i > 1; --i) std::swap(hand[i - 1], hand[random.below(i)]);
  if (generator == Generator::plan) {
    std::stable_partition(hand.begin(), hand.end(), [](const Dealt& dealt) { return dealt.recut == "char"; });
    std::stable_partition(hand.begin(), hand.end(), [](const Dealt& dealt) {
      return dealt.recut.empty() && dealt.split == split::label(split::ByteByByte{});
    });
  }
  return hand;
}

}  // namespace

std::string_view name(Generator generator) {
  switch (generator) {
    case Generator::whole:
      return "whole";
    case Generator::bytes:
      return "bytes";
    case Generator::seams:
      return "seams";
    case Generator::random:
      return "random";
    case Generator::recuts:
      return "recuts";
    case Generator::faults:
      return "faults";
    case Generator::plan:
      break;
  }
  return "plan";
}

std::vector<Dealt> deal(const std::vector<recording::Recording>& recordings, Generator generator,
                        std::size_t most) {
  const std::size_t rounds = most / std::max<std::size_t>(recordings.size(), 1) + 1;
  std::vector<Hand> hands;
  std::size_t longest = 0;
  for (const recording::Recording& recording : recordings) {
    hands.push_back(hand_of(recording, generator, rounds));
    longest = std::max(longest, hands.back().size());
  }
  std::vector<Dealt> deck;
  for (std::size_t round = 0; round < longest; ++round) {
    for (const Hand& hand : hands) {
      if (round < hand.size() && deck.size() < most) deck.push_back(hand[round]);
    }
  }
  return deck;
}

}  // namespace splitproof::mutants
