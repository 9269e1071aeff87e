#include "harness/evidence/merge.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace splitproof::evidence {
namespace {

using Fields = std::vector<std::pair<const char*, std::string>>;

constexpr const char* kOneRun = "merge the evidence of one run: its shards, or its recordings or targets";

// Returns an Error with the first field that differs.
Result<void> check_same(const Fields& a, const std::string& of_a, const Fields& b, const std::string& of_b) {
  const auto [one, other] = std::mismatch(a.begin(), a.end(), b.begin());
  if (one == a.end()) return {};
  return tl::unexpected(Error{"the evidence is of another run than " + of_a + ": " + one->first + " is '" +
                                  other->second + "' and '" + one->second + "'",
                              of_b, 0, kOneRun});
}

Fields fields_of(const Evidence& evidence) {
  const auto kind = [](const testee::Traits& testee) {
    return testee.over_http ? "http" : testee.outside ? "pipe" : "in-process";
  };
  return {{"target", evidence.testee.name},
          {"client", evidence.testee.client},
          {"upstream", evidence.testee.upstream},
          {"kind", kind(evidence.testee)},
          {"model", evidence.testee.model},
          {"profile", evidence.profile},
          {"version of splitproof", evidence.version},
          {"recording", evidence.recording ? evidence.recording->id : std::string()}};
}

Fields fields_of(const Manifest& manifest) {
  std::string contracts;
  for (const auto& [name, digest] : manifest.contracts)
    contracts += (contracts.empty() ? "" : ", ") + name + " " + digest;
  return {{"version of splitproof", manifest.version},
          {"number of shards", std::to_string(manifest.of)},
          {"seed", std::to_string(manifest.seed)},
          {"options", manifest.options},
          {"profile", manifest.profile},
          {"contracts", contracts},
          {"plan (corpus, target files, --strict or --fail-fast)", manifest.plan}};
}

// Baselines with equal keys have the same upstream.
std::string baseline_key(const StoredExchange& exhibit) {
  std::string key;
  const auto add = [&](const std::string& text) { key += std::to_string(text.size()) + ":" + text; };
  const auto add_numbers = [&](const std::vector<std::size_t>& numbers) {
    std::string text;
    for (const std::size_t number : numbers) text += std::to_string(number) + ",";
    add(text);
  };
  add(exhibit.upstream);
  add_numbers(exhibit.cuts);
  add(std::string(recording::name(exhibit.end)));
  add(exhibit.status ? std::to_string(*exhibit.status) : std::string());
  add_numbers(exhibit.holds);
  add(exhibit.leave_at ? std::to_string(*exhibit.leave_at) : std::string());
  add(observe::label(exhibit.frames));
  return key;
}

template <class T>
void add_new(std::vector<T>& all, const std::vector<T>& others) {
  for (const T& one : others)
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
}

// Sets a value that does not depend on the order of the parts.
template <class T>
void sort_unless_equal(std::vector<T>& all, const std::vector<PlacedManifest>& parts,
                       std::vector<T> Manifest::*member) {
  const bool are_equal =
      std::all_of(parts.begin(), parts.end(), [&](const auto& part) { return part.manifest.*member == all; });
  if (!are_equal) std::sort(all.begin(), all.end());
}

}  // namespace

Result<Evidence> merge(std::vector<PlacedEvidence> parts) {
  std::sort(parts.begin(), parts.end(), [](const PlacedEvidence& a, const PlacedEvidence& b) {
    return std::tie(a.evidence.begin, a.path) < std::tie(b.evidence.begin, b.path);
  });
  const PlacedEvidence& first = parts.front();
  for (const PlacedEvidence& part : parts) {
    const auto same = check_same(fields_of(first.evidence), first.path, fields_of(part.evidence), part.path);
    if (!same) return tl::unexpected(same.error());
    if (first.evidence.recording == part.evidence.recording &&
        first.evidence.testee.cannot == part.evidence.testee.cannot)
      continue;
    return tl::unexpected(Error{
        "the evidence has another text of the recording, or of what the target cannot do, than " + first.path,
        part.path, 1, kOneRun});
  }
  std::vector<StoredExchange> cases;
  std::vector<StoredExchange> baselines;
  std::set<std::string> known_baselines;
  std::map<std::string, std::pair<std::size_t, const std::string*>> known;  // index and path, by case
  for (PlacedEvidence& part : parts) {
    for (StoredExchange& exhibit : part.evidence.exhibits) {
      if (exhibit.cases == 0) {
        if (known_baselines.insert(baseline_key(exhibit)).second) baselines.push_back(std::move(exhibit));
        continue;
      }
      const auto [at, is_new] = known.try_emplace(exhibit.case_id, cases.size(), &part.path);
      if (is_new) {
        cases.push_back(std::move(exhibit));
      } else if (!(cases[at->second.first] == exhibit)) {
        return tl::unexpected(
            Error{"has another observation of the case " + exhibit.case_id + " than " + *at->second.second,
                  part.path, 0, "the case ran twice: leave out one of the two folders"});
      }
    }
  }
  Evidence whole = std::move(parts.front().evidence);
  whole.exhibits = std::move(baselines);
  std::move(cases.begin(), cases.end(), std::back_inserter(whole.exhibits));
  return whole;
}

Result<Manifest> merge(const std::vector<PlacedManifest>& parts) {
  Manifest whole = parts.front().manifest;
  whole.files.clear();
  for (const auto& [path, part] : parts) {
    if (const auto same = check_same(fields_of(whole), parts.front().path, fields_of(part), path); !same)
      return tl::unexpected(same.error());
    add_new(whole.corpora, part.corpora);
    add_new(whole.targets, part.targets);
    for (const auto& [target, why] : part.untested) {
      const auto [known, is_new] = whole.untested.try_emplace(target, why);
      if (!is_new) known->second = std::max(known->second, why);
    }
    whole.unreadable = std::max(whole.unreadable, part.unreadable);
    whole.shards.insert(part.shards.begin(), part.shards.end());
  }
  sort_unless_equal(whole.corpora, parts, &Manifest::corpora);
  sort_unless_equal(whole.targets, parts, &Manifest::targets);
  return whole;
}

std::vector<std::size_t> missing_shards(const Manifest& manifest) {
  std::vector<std::size_t> missing;
  for (std::size_t shard = 1; shard <= manifest.of; ++shard)
    if (!manifest.shards.contains(shard)) missing.push_back(shard);
  return missing;
}

}  // namespace splitproof::evidence
