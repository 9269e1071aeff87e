#include "harness/results/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/results/join.hpp"

namespace splitproof::results {
namespace {

bool has_shards(const RunHeading& header) { return !header.shards.empty(); }

Result<void> check_same_run(const RunHeading& a, const RunHeading& b) {
  if (has_shards(a) || has_shards(b)) return check_same(a.plan, b.plan);
  const auto differs = [](const std::string& in, const std::string& how) {
    return tl::unexpected(
        Error{"the reports are of different runs: " + in + how, {}, 0, "merge reports of one run's parts"});
  };
  if (a.contracts != b.contracts) {
    const auto at = [](const RunHeading& header, const std::string& name) {
      const auto known = header.contracts.find(name);
      return known == header.contracts.end() ? std::string("none") : known->second;
    };
    std::map<std::string, std::string> all = a.contracts;
    all.insert(b.contracts.begin(), b.contracts.end());
    for (const auto& [name, digest] : all)
      if (at(a, name) != at(b, name))
        return differs("the digest of " + name, " is " + at(a, name) + " and " + at(b, name));
  }
  if (a.profile != b.profile) return differs("the profile", " is " + a.profile + " and " + b.profile);
  if (a.seed != b.seed)
    return differs("the seed", " is " + std::to_string(a.seed) + " and " + std::to_string(b.seed));
  if (a.options != b.options)
    return differs("the options", " are '" + a.options + "' and '" + b.options + "'");
  if (a.strict != b.strict) return differs("one", " ran with --strict");
  if (a.quick != b.quick) return differs("one", " ran with --quick");
  return {};
}

// If both have a key, the greater value stays.
template <class Value, class Less>
void unite(std::map<std::string, Value, Less>& all, const std::map<std::string, Value, Less>& others) {
  for (const auto& [name, value] : others) {
    const auto [known, is_new] = all.try_emplace(name, value);
    if (!is_new && known->second < value) known->second = value;
  }
}

// Keeps the order if both lists are equal. Otherwise sorts by name.
void unite(std::vector<std::string>& all, const std::vector<std::string>& others) {
  if (all == others) return;
  std::set<std::string> names(all.begin(), all.end());
  names.insert(others.begin(), others.end());
  all.assign(names.begin(), names.end());
}

// Keeps the greatest of the values with the same key. Sorts by key.
template <class Value, class KeyOf>
void keep_greatest(std::vector<Value>& all, const KeyOf& key_of) {
  std::sort(all.begin(), all.end(), [&](const Value& a, const Value& b) {
    const auto key = key_of(a);
    const auto other = key_of(b);
    return key != other ? key < other : b < a;
  });
  const auto end = std::unique(all.begin(), all.end(),
                               [&](const Value& a, const Value& b) { return key_of(a) == key_of(b); });
  all.erase(end, all.end());
}

using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;  // begins and ends

Ranges ranges_of(const RecordingPart& part) {
  Ranges ranges;
  std::size_t begin = part.begin;
  for (std::size_t i = 0; i + 1 < part.gaps.size(); i += 2) {
    ranges.emplace_back(begin, part.gaps[i]);
    begin = part.gaps[i + 1];
  }
  ranges.emplace_back(begin, part.end);
  return ranges;
}

bool covers(const Ranges& all, const Ranges& few) {
  return std::all_of(few.begin(), few.end(), [&](const auto& one) {
    return std::any_of(all.begin(), all.end(), [&](const auto& other) {
      return other.first <= one.first && one.second <= other.second;
    });
  });
}

bool overlap(const Ranges& some, const Ranges& others) {
  return std::any_of(some.begin(), some.end(), [&](const auto& one) {
    return std::any_of(others.begin(), others.end(), [&](const auto& other) {
      return std::max(one.first, other.first) < std::min(one.second, other.second);
    });
  });
}

// Sets the range and the gaps of a part to what both ranges have.
void set_ranges(RecordingPart& part, Ranges ranges, const Ranges& more) {
  ranges.insert(ranges.end(), more.begin(), more.end());
  std::sort(ranges.begin(), ranges.end());
  part.begin = ranges.front().first;
  part.end = ranges.front().second;
  part.gaps.clear();
  for (const auto& [begin, end] : ranges) {
    if (begin > part.end) part.gaps.insert(part.gaps.end(), {part.end, begin});
    part.end = std::max(part.end, end);
  }
}

void unite(RunHeading& all, const RunHeading& other) {
  unite(all.targets, other.targets);
  unite(all.files, other.files);
  unite(all.places, other.places);
  unite(all.corpora, other.corpora);
  all.details = joined(std::move(all.details), other.details);
  // A part may run only some of the recordings (--only). No single set of options runs all parts, so none is
  // kept.
  if (all.trials != other.trials) all.trials.clear();
  all.unreadable = std::max(all.unreadable, other.unreadable);
  all.untargeted = std::max(all.untargeted, other.untargeted);
  all.unclaimed = std::max(all.unclaimed, other.unclaimed);
  unite(all.notes, other.notes);
  unite(all.untested, other.untested);
  all.unavailable = std::max({all.unavailable, other.unavailable, all.untested.size()});
  unite(all.rules, other.rules);
  all.clients = std::max(std::move(all.clients), other.clients);
  if (all.plan != other.plan) all.plan = {};
  all.shards.insert(other.shards.begin(), other.shards.end());
  all.shard_source = std::max(all.shard_source, other.shard_source);
  unite(all.throughput, other.throughput);
  unite(all.growth, other.growth);
}

}  // namespace

void sort(std::vector<RecordingResult>& results, const std::vector<std::string>& targets) {
  const auto place = [&](const RecordingResult& result) {
    return std::pair(std::find(targets.begin(), targets.end(), result.target) - targets.begin(),
                     std::string_view(result.recording.id));
  };
  std::stable_sort(results.begin(), results.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
}

Result<void> Merger::take(RunResult part) {
  if (!begun_) {
    begun_ = true;
    all_.header = part.header;
  } else if (const auto same = check_same_run(part.header, all_.header); !same) {
    return same;
  } else {
    unite(all_.header, part.header);
  }
  const auto append = [](auto& all, auto& more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  append(all_.recordings, part.recordings);
  append(all_.stale, part.stale);
  append(all_.causes, part.causes);
  if (part.cut_short) {
    CutShort& known = cut_short_[part.header.shards];
    known = std::max(known, *part.cut_short);
  }
  all_.complete = all_.complete && part.complete;
  return {};
}

RunResult Merger::end() {
  keep_greatest(all_.recordings, [](const RecordingResult& result) {
    const std::size_t begin = result.part ? result.part->begin : 0;
    const std::size_t end = result.part ? result.part->end : 0;
    return std::tuple(std::string_view(result.target), std::string_view(result.recording.id),
                      std::string_view(result.recording.digest), begin, end,
                      result.part ? result.part->gaps : std::vector<std::size_t>());
  });
  sort(all_.recordings, all_.header.targets);
  keep_greatest(all_.stale, [](const StaleExpectation& stale) {
    return std::tuple(std::string_view(stale.expectation.file), stale.expectation.line,
                      std::string_view(stale.expectation.says));
  });
  keep_greatest(all_.causes, [](const CauseNote& note) {
    return std::tuple(std::string_view(note.target), std::string_view(note.rule),
                      std::string_view(note.case_id));
  });
  for (const auto& [shards, cut_short] : cut_short_) {
    const std::size_t before = all_.cut_short ? all_.cut_short->unreached : 0;
    all_.cut_short = std::max(all_.cut_short, std::optional(cut_short));
    all_.cut_short->unreached = before + cut_short.unreached;
  }
  return std::move(all_);
}

Result<RunResult> merge(RunResult a, RunResult b) {
  Merger merger;
  for (RunResult* part : {&a, &b})
    if (const auto taken = merger.take(std::move(*part)); !taken) return tl::unexpected(taken.error());
  return merger.end();
}

std::vector<std::size_t> missing_shards(const RunHeading& header) {
  std::vector<std::size_t> missing;
  for (std::size_t shard = kUnfinishedShard + 1; has_shards(header) && shard <= header.plan.shards; ++shard)
    if (!header.shards.contains(shard)) missing.push_back(shard);
  return missing;
}

void join_parts(RunResult& run) {
  std::stable_sort(
      run.recordings.begin(), run.recordings.end(), [](const RecordingResult& a, const RecordingResult& b) {
        const auto key = [](const RecordingResult& result) {
          return std::tuple(std::string_view(result.target), std::string_view(result.recording.id),
                            std::string_view(result.recording.digest), result.part ? result.part->begin : 0,
                            result.part ? SIZE_MAX - result.part->end : 0);
        };
        return key(a) < key(b);
      });
  std::vector<RecordingResult> whole;
  for (RecordingResult& result : run.recordings) {
    const bool goes_on = !whole.empty() && whole.back().part && result.part &&
                         whole.back().target == result.target &&
                         whole.back().recording.id == result.recording.id &&
                         whole.back().recording.digest == result.recording.digest;
    if (!goes_on) {
      whole.push_back(std::move(result));
      continue;
    }
    const Ranges known = ranges_of(*whole.back().part);
    const Ranges more = ranges_of(*result.part);
    // The report of an unfinished run repeats what the report of a finished run has.
    if (covers(known, more) || overlap(known, more)) continue;
    join(whole.back(), std::move(result));
    set_ranges(*whole.back().part, known, more);
  }
  for (RecordingResult& result : whole)
    if (result.part && result.part->is_whole()) result.part.reset();
  // Without a case, one run has no result either.
  std::erase_if(whole, [](const RecordingResult& result) { return result.cases + result.unrun == 0; });
  run.recordings = std::move(whole);
  sort(run.recordings, run.header.targets);
  run.header.shard_source.clear();
  if (!has_shards(run.header) || !missing_shards(run.header).empty()) return;
  run.header.shards.clear();
  run.header.plan.shards = 1;
}

Result<void> check_covered(const RunResult& run) {
  const bool ended_early = run.cut_short || !run.complete || run.header.unavailable > 0 ||
                           run.header.plan.options.find("--fail-fast") != std::string::npos;
  if (has_shards(run.header) || ended_early) return {};
  for (const RecordingResult& result : run.recordings) {
    if (!result.part || result.part->is_whole()) continue;
    const RecordingPart& part = *result.part;
    const std::size_t begin = part.begin > 0 ? 0 : part.gaps.empty() ? part.end : part.gaps[0];
    const std::size_t end = part.begin > 0 ? part.begin : part.gaps.empty() ? part.of : part.gaps[1];
    return tl::unexpected(Error{fmt::format("the reports of all shards lack the cases {} to {} of {} with {}",
                                            begin + 1, end, result.recording.id, result.target),
                                {},
                                0,
                                "a report has lost results: run its shard again"});
  }
  return {};
}

}  // namespace splitproof::results
