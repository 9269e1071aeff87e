#include "harness/split/distinct_recuts.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "harness/fnv1a.hpp"
#include "harness/split/hash_of_cuts.hpp"
#include "harness/split/repeatable_cuts.hpp"

namespace splitproof::split {
namespace {

// Hashes begin with one of these, so that hashes of different things differ.
constexpr std::uint64_t kOfBytes = 1;
constexpr std::uint64_t kOfLabel = 2;
constexpr std::uint64_t kOfCuts = 3;

// Numbers in the order of events may differ.
std::string without_digits(std::string_view text) {
  std::string rest;
  std::copy_if(text.begin(), text.end(), std::back_inserter(rest), [](char c) { return c < '0' || c > '9'; });
  return rest;
}

// Returns the events that no cuts change.
std::vector<std::string> events_outside_runs(const Parts& parts) {
  std::vector<bool> within(parts.events().size());
  for (const TextRun& run : parts.runs())
    for (const std::size_t event : run.events) within[event] = true;
  std::vector<std::string> outside;
  for (std::size_t event = 0; event < within.size(); ++event)
    if (!within[event]) outside.push_back(without_digits(parts.events()[event]));
  return outside;
}

// True if the body has these events, in this order.
bool has_all(std::string_view body, const std::vector<std::string>& events) {
  const std::string rest = without_digits(body);
  std::size_t at = 0;
  for (const std::string& event : events) {
    at = rest.find(event, at);
    if (at == std::string::npos) return false;
    at += event.size();
  }
  return true;
}

bool has_same_texts(const std::vector<TextRun>& a, const std::vector<TextRun>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const TextRun& one, const TextRun& other) { return one.text == other.text; });
}

}  // namespace

DistinctRecuts::DistinctRecuts(const Rechunker& dealer, std::string_view body) : recutter_(dealer, body) {
  const std::vector<std::string> outside = events_outside_runs(recutter_.parts());
  for (const std::string& label : recutter_.labels()) {
    std::optional<Recut> made = recutter_.of(OwnRecut{label});
    if (!made) continue;
    const Body hashed{mixed(kOfBytes, fnv1a(made->body)), made->arrivals.size() > 1};
    by_label_.emplace(label, hashed);
    if (!has_all(made->body, outside)) continue;  // no cuts make it
    const std::unique_ptr<const Parts> parts = recutter_.take_apart(made->body);
    if (!has_same_texts(parts->runs(), recutter_.parts().runs())) continue;
    std::vector<std::size_t> pieces;
    for (const TextRun& run : parts->runs()) pieces.push_back(run.events.size());
    by_pieces_[hash_of_cuts(pieces)].push_back(
        std::make_unique<Own>(Own{std::move(made->body), hashed, nullptr, {}}));
  }
}

std::optional<DistinctRecuts::Found> DistinctRecuts::find(std::string_view label) {
  const std::optional<RecutForm> form = recut_form(recutter_, label).value();
  if (!form) return std::nullopt;
  const auto body = std::visit([this](const auto& one) { return body_of(one); }, *form);
  if (!body || !known_.insert(body->hash).second) return std::nullopt;
  return Found{body->has_several_events};
}

std::optional<DistinctRecuts::Body> DistinctRecuts::body_of(const RunCuts& cuts) {
  std::uint64_t hash = kOfCuts;
  bool changes = false;
  for (const auto& [run, places] : cuts) {
    if (recutter_.keeps(run, places)) continue;
    changes = true;
    hash = hash_of_cuts(places, mixed(hash, run));
  }
  // All events may keep their bytes, and yet numbers in their order change.
  if (!changes && !recutter_.of(cuts)) return std::nullopt;
  const auto alike = by_pieces_.find(hash_of_pieces(cuts));
  std::optional<Recut> made;
  for (std::size_t i = 0; alike != by_pieces_.end() && i < alike->second.size(); ++i) {
    Own& own = *alike->second[i];
    if (own.parts == nullptr) own.parts = recutter_.take_apart(own.body);
    const bool may_be_equal = std::all_of(cuts.begin(), cuts.end(), [&](const auto& of_run) {
      return own.first_pieces.may_begin(*own.parts, of_run.first, of_run.second);
    });
    if (!may_be_equal) continue;
    if (!made) made = recutter_.of(cuts);
    if (made && made->body == own.body) return own.hashed;
  }
  return Body{hash, has_several_events(cuts)};
}

std::optional<DistinctRecuts::Body> DistinctRecuts::body_of(const OwnRecut& own) {
  const auto found = by_label_.find(std::string(own.label));
  return found == by_label_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<DistinctRecuts::Body> DistinctRecuts::body_of(const RandomRecut& random) {
  const std::size_t characters = recutter_.characters().size();
  // A cut before a run cuts nothing, so as many sets of cuts may be equal as there are sets of runs.
  const std::size_t runs = recutter_.parts().runs().size();
  const auto drawn = repeatable_cuts(characters, random.index, random.seed, kRareBits + runs);
  if (drawn) return body_of(recutter_.drawn(*drawn));
  return Body{mixed(mixed(kOfLabel, random.seed), random.index), true};
}

// Returns a hash of how many pieces each run has.
std::uint64_t DistinctRecuts::hash_of_pieces(const RunCuts& cuts) const {
  const std::vector<TextRun>& runs = recutter_.parts().runs();
  std::vector<std::size_t> pieces;
  pieces.reserve(runs.size());
  for (const TextRun& run : runs) pieces.push_back(run.events.size());
  for (const auto& [run, places] : cuts) pieces[run] = places.size() + 1;
  return hash_of_cuts(pieces);
}

bool DistinctRecuts::has_several_events(const RunCuts& cuts) const {
  const Parts& parts = recutter_.parts();
  std::size_t events = parts.events().size();
  for (const auto& [run, places] : cuts) {
    events -= parts.runs()[run].events.size();
    events += places.size() + 1;
  }
  if (events > 1) return true;
  const std::optional<Recut> made = recutter_.of(cuts);
  return made && made->arrivals.size() > 1;
}

}  // namespace splitproof::split
