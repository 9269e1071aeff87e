#include "harness/results/merge.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace splitproof::results {
namespace {

Result<void> check_same_run(const RunHeading& a, const RunHeading& b) {
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

// For each key, the greatest value stays.
template <class Value, class KeyOf>
void unite(std::vector<Value>& all, const std::vector<Value>& others, const KeyOf& key_of) {
  std::map<decltype(key_of(all.front())), Value> greatest;
  const auto take = [&](auto&& value) {
    const auto known = greatest.find(key_of(value));
    if (known == greatest.end()) {
      auto key = key_of(value);
      greatest.emplace(std::move(key), std::forward<decltype(value)>(value));
    } else if (known->second < value) {
      known->second = std::forward<decltype(value)>(value);
    }
  };
  for (Value& value : all) take(std::move(value));
  for (const Value& value : others) take(value);
  all.clear();
  for (auto& [key, value] : greatest) all.push_back(std::move(value));
}

void unite(RunHeading& all, const RunHeading& other) {
  unite(all.targets, other.targets);
  unite(all.files, other.files);
  unite(all.places, other.places);
  unite(all.corpora, other.corpora);
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

Result<RunResult> merge(RunResult a, const RunResult& b) {
  if (const auto same = check_same_run(a.header, b.header); !same) return tl::unexpected(same.error());
  unite(a.header, b.header);
  unite(a.recordings, b.recordings, [](const RecordingResult& result) {
    return std::tuple(result.target, result.recording.id, result.recording.digest);
  });
  sort(a.recordings, a.header.targets);
  unite(a.stale, b.stale, [](const StaleExpectation& stale) {
    return std::tuple(stale.expectation.file, stale.expectation.line, stale.expectation.says);
  });
  unite(a.causes, b.causes, [](const CauseNote& note) { return std::pair(note.target, note.rule); });
  a.cut_short = std::max(a.cut_short, b.cut_short);
  a.complete = a.complete && b.complete;
  return a;
}

}  // namespace splitproof::results
