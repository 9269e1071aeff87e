#include "deck.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/campaign/fault.hpp"
#include "harness/campaign/recording_run.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/dialect/request_recordings.hpp"
#include "harness/fnv1a.hpp"
#include "harness/read_file.hpp"
#include "harness/split/generator.hpp"
#include "harness/split/plan.hpp"
#include "harness/split/random_cuts.hpp"
#include "harness/split/recut.hpp"
#include "tests/planned.hpp"

namespace splitproof::mutants {
namespace {

// The same as in `splitproof run`.
constexpr std::size_t kRandomSplits = 32;
constexpr std::size_t kRandomRecuts = 8;
constexpr std::uint64_t kSeed = 1;

using Hand = std::vector<Dealt>;  // the cases of one recording

Dealt dealt(const recording::Recording& recording, split::Generator split, std::string recut = {}) {
  campaign::Case one{recording.id};
  one.split = std::move(split);
  one.recut = std::move(recut);
  return {&recording, std::move(one)};
}

void add_splits(const recording::Recording& recording, Generator generator, std::size_t random, Hand& hand) {
  const split::Subject subject = campaign::subject_of(recording);
  for (const split::Split& split : split::planned(subject, {random, false, kSeed})) {
    const split::Generator made = split::parse_generator(split.label).value();
    const bool seam =
        std::holds_alternative<split::AtSeam>(made) || std::holds_alternative<split::AtSeamsOf>(made);
    const bool drawn = std::holds_alternative<split::AtRandom>(made);
    if (generator == Generator::plan || (generator == Generator::seams && seam) ||
        (generator == Generator::random && drawn))
      hand.push_back(dealt(recording, made));
  }
}

void add_recuts(const recording::Recording& recording, Hand& hand) {
  const split::Rechunker* dealer = dialect::dealer_of(recording.protocol);
  if (dealer == nullptr) return;
  for (const std::string& recut :
       split::planned_recuts(*dealer, recording.body, kRandomRecuts, false, kSeed)) {
    hand.push_back(dealt(recording, split::AsRecorded{}, recut));
    hand.push_back(dealt(recording, split::Whole{}, recut));
  }
}

Hand hand_of(const recording::Recording& recording, Generator generator, std::size_t most) {
  Hand hand;
  switch (generator) {
    case Generator::whole:
      return {dealt(recording, split::Whole{})};
    case Generator::bytes:
      return {dealt(recording, split::ByteByByte{})};
    case Generator::seams:
      add_splits(recording, generator, 0, hand);
      break;
    case Generator::random:
      for (std::size_t i = 0; i < most; ++i) hand.push_back(dealt(recording, split::AtRandom{i, kSeed}));
      return hand;
    case Generator::recuts:
      add_recuts(recording, hand);
      break;
    case Generator::faults:
      for (const campaign::Fault& fault : campaign::plan_faults(recording.body.size(), kSeed)) {
        hand.push_back(dealt(recording, split::AsRecorded{}));
        hand.back().one.fault = fault;
      }
      break;
    case Generator::plan:
      add_splits(recording, generator, kRandomSplits, hand);
      add_recuts(recording, hand);
      break;
  }
  split::SplitMix64 random(kSeed ^ fnv1a(recording.id));
  for (std::size_t i = hand.size(); i > 1; --i) std::swap(hand[i - 1], hand[random.below(i)]);
  if (generator == Generator::plan) {
    std::stable_partition(hand.begin(), hand.end(),
                          [](const Dealt& dealt) { return dealt.one.recut == "char"; });
    std::stable_partition(hand.begin(), hand.end(), [](const Dealt& dealt) {
      return dealt.one.recut.empty() && dealt.one.split == split::Generator(split::ByteByByte{});
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

std::vector<recording::Recording> recordings_of(const std::vector<recording::Recording>& all,
                                                std::string_view upstream) {
  std::vector<recording::Recording> found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found),
               [&](const recording::Recording& recording) { return recording.protocol == upstream; });
  return found;
}

std::vector<recording::Recording> requests_of(const recording::Corpus& corpus, const std::string& upstream,
                                              const std::string& client) {
  std::vector<recording::Recording> found;
  for (const recording::RequestFile& file : corpus.requests) {
    auto all = dialect::recordings_of_request(file.id, file.path, read_file(file.path).value()).value();
    for (recording::Recording& one : all)
      if (one.protocol == upstream && one.requests->contains(client)) found.push_back(std::move(one));
  }
  return found;
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

std::vector<Dealt> deal_plan_and_faults(const std::vector<recording::Recording>& recordings,
                                        std::size_t most) {
  const std::vector<Dealt> plan = deal(recordings, Generator::plan, most);
  const std::vector<Dealt> faults = deal(recordings, Generator::faults, most);
  std::vector<Dealt> deck;
  for (std::size_t i = 0; i < most; ++i) {
    for (const std::vector<Dealt>* half : {&plan, &faults}) {
      if (i < half->size() && deck.size() < most) deck.push_back((*half)[i]);
    }
  }
  return deck;
}

}  // namespace splitproof::mutants
