#include "harness/campaign/planned_round.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/reading.hpp"
#include "harness/observe/choices.hpp"
#include "harness/results/join.hpp"

namespace splitproof::campaign {
namespace {

using results::RecordingResult;

using RoundsOfLot = std::vector<PlannedRound*>;

// Returns the rounds of each recording with each testee, in the order of their first rounds.
std::vector<RoundsOfLot> by_lot(const std::vector<PlannedRound*>& rounds) {
  std::map<std::pair<std::size_t, const recording::Recording*>, std::size_t> places;
  std::vector<RoundsOfLot> lots;
  for (PlannedRound* round : rounds) {
    const auto [place, is_new] = places.try_emplace({round->testee, round->recording}, lots.size());
    if (is_new) lots.emplace_back();
    lots[place->second].push_back(round);
  }
  return lots;
}

shard::Lot lot_of(const RoundsOfLot& rounds, const CampaignSettings& settings) {
  const PlannedRound& first = *rounds.front();
  shard::Lot lot{settings.testees[first.testee]->name() + "\n" + first.recording->id, 0};
  for (PlannedRound* round : rounds) {
    round->place.begin = lot.cases;
    lot.cases += round->extent.cases;
  }
  return lot;
}

// Joins the done parts of a recording with a testee.
std::optional<RecordingResult> done(const PlannedRound& round, const CampaignSettings& settings) {
  std::optional<RecordingResult> whole;
  for (const RecordingResult& part : settings.done) {
    if (part.target != settings.testees[round.testee]->name() || part.recording.id != round.recording->id)
      continue;
    if (whole) {
      join(*whole, part);
    } else {
      whole = part;
    }
  }
  return whole;
}

void set_range(PlannedRound& round, const shard::CaseRange& of_lot) {
  const std::size_t begin = round.place.begin;
  const auto within = [&](std::size_t position) {
    return std::clamp(position, begin, begin + round.extent.cases) - begin;
  };
  round.range = {within(of_lot.begin), within(of_lot.end)};
}

}  // namespace

bool claims(const testee::Testee& testee, const recording::Recording& recording,
            const contract::Profile& profile) {
  if (!is_about_request(recording) && testee.refuses(recording)) return false;
  const std::vector<std::string>& cannot = testee.traits().cannot;
  if (cannot.empty()) return true;
  const Upstream upstream{recording.body, {}, recording.end};
  std::set<std::string> features =
      read_upstream(upstream, recording.protocol, observe::choices_of(profile.knobs)).expected.shapes;
  features.insert(recording.features.begin(), recording.features.end());
  return std::none_of(cannot.begin(), cannot.end(),
                      [&](const std::string& feature) { return features.count(feature) > 0; });
}

std::vector<RecordingResult> place(const std::vector<PlannedRound*>& rounds,
                                   const CampaignSettings& settings) {
  const std::vector<RoundsOfLot> of_lots = by_lot(rounds);
  std::vector<shard::Lot> lots;
  for (const RoundsOfLot& of_lot : of_lots) lots.push_back(lot_of(of_lot, settings));
  const bool in_order = settings.shares.size() == 1;
  const ShardOf shard = settings.shard.value_or(ShardOf());
  std::vector<shard::CaseRange> ranges = shard::ranges_of_shard(
      lots, shard.number, shard.count, in_order ? shard::Division::by_case : shard::Division::never);
  std::vector<RecordingResult> all_done;
  for (std::size_t lot = 0; lot < lots.size(); ++lot) {
    if (auto result = done(*of_lots[lot].front(), settings)) {
      ranges[lot].begin = result->part ? std::max(ranges[lot].begin, result->part->end) : lots[lot].cases;
      all_done.push_back(std::move(*result));
    }
    for (PlannedRound* round : of_lots[lot]) {
      if (in_order) round->place.of = lots[lot].cases;
      set_range(*round, ranges[lot]);
    }
  }
  return all_done;
}

}  // namespace splitproof::campaign
