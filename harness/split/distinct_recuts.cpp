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
constexpr std::uint64_t kOfRandom = 2;
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

// The sum over all runs identifies the numbers of pieces of all runs.
std::uint64_t hash_of_pieces(std::size_t run, std::size_t pieces) { return mixed(mixed(0, run), pieces); }

std::uint64_t hash_of_pieces(const Parts& parts) {
  std::uint64_t hash = 0;
  for (std::size_t run = 0; run < parts.runs().size(); ++run)
    hash += hash_of_pieces(run, parts.runs()[run].events.size());
  return hash;
}

}  // namespace

DistinctRecuts::DistinctRecuts(const Recutter& recutter) : recutter_(recutter) {
  const std::vector<std::string> outside = events_outside_runs(recutter_.parts());
  own_.resize(recutter_.labels().size());
  for (std::size_t index = 0; index < own_.size(); ++index) {
    std::optional<Recut> made = recutter_.make(OwnRecut{index});
    if (!made) continue;
    own_[index] = Body{mixed(kOfBytes, fnv1a(made->body)), made->arrivals.size() > 1};
    if (!has_all(made->body, outside)) continue;  // no cuts make it
    const std::unique_ptr<const Parts> parts = recutter_.take_apart(made->body);
    if (!has_same_texts(parts->runs(), recutter_.parts().runs())) continue;
    by_pieces_[hash_of_pieces(*parts)].push_back(
        std::make_unique<Own>(Own{std::move(made->body), *own_[index], nullptr, {}}));
  }
  pieces_ = hash_of_pieces(recutter_.parts());
}

std::optional<DistinctRecuts::Found> DistinctRecuts::find(const RecutName& recut) {
  const std::optional<Body> body = body_of(recut);
  if (!body || !known_.insert(body->hash)) return std::nullopt;
  return Found{body->has_several_events};
}

std::optional<DistinctRecuts::Found> DistinctRecuts::find(std::string_view label) {
  return find(parse_recut_name(recutter_, label).value());
}

std::optional<DistinctRecuts::Body> DistinctRecuts::body_of(const RecutName& recut) {
  if (const auto* own = std::get_if<OwnRecut>(&recut)) return own_[own->index];
  if (const auto* random = std::get_if<RandomRecut>(&recut)) return body_of_random(*random);
  if (!recutter_.find_cuts(recut, cuts_)) return std::nullopt;
  return body_of(cuts_);
}

std::optional<DistinctRecuts::Body> DistinctRecuts::body_of(const RunCuts& cuts) {
  const Parts& parts = recutter_.parts();
  std::uint64_t hash = kOfCuts;
  std::uint64_t pieces = pieces_;
  std::size_t events = parts.events().size();
  bool changes = false;
  for (std::size_t index = 0; index < cuts.size(); ++index) {
    const auto [run, places] = cuts[index];
    const std::size_t before = parts.runs()[run].events.size();
    const std::size_t after = places.size() + 1;
    events = events - before + after;
    pieces += hash_of_pieces(run, after) - hash_of_pieces(run, before);
    if (recutter_.keeps(run, places)) continue;
    changes = true;
    hash = hash_of_cuts(places, mixed(hash, run));
  }
  // All events may keep their bytes, and yet numbers in their order change.
  if (!changes && !recutter_.make(cuts)) return std::nullopt;
  if (!by_pieces_.empty())
    if (const auto own = own_body(cuts, pieces)) return own;
  if (events > 1) return Body{hash, true};
  const std::optional<Recut> made = recutter_.make(cuts);
  return Body{hash, made && made->arrivals.size() > 1};
}

// Returns the recut with a label of the dialect that these cuts also make, or nullopt.
std::optional<DistinctRecuts::Body> DistinctRecuts::own_body(const RunCuts& cuts, std::uint64_t pieces) {
  const auto alike = by_pieces_.find(pieces);
  if (alike == by_pieces_.end()) return std::nullopt;
  std::optional<Recut> made;
  for (const std::unique_ptr<Own>& own : alike->second) {
    if (own->parts == nullptr) own->parts = recutter_.take_apart(own->body);
    bool may_be_equal = true;
    for (std::size_t index = 0; may_be_equal && index < cuts.size(); ++index)
      may_be_equal = own->first_pieces.may_begin(*own->parts, cuts[index].run, cuts[index].places);
    if (!may_be_equal) continue;
    if (!made) made = recutter_.make(cuts);
    if (made && made->body == own->body) return own->hashed;
  }
  return std::nullopt;
}

std::optional<DistinctRecuts::Body> DistinctRecuts::body_of_random(const RandomRecut& random) {
  if (!random_ || random_->seed() != random.seed) {
    // A cut before a run cuts nothing, so as many sets of cuts may be equal as there are sets of runs.
    const std::size_t runs = recutter_.parts().runs().size();
    random_.emplace(recutter_.characters().size(), random.seed, kRareBits + runs);
  }
  const Cuts* drawn = random_->draw(random.index);
  if (drawn == nullptr) return Body{mixed(mixed(kOfRandom, random.seed), random.index), true};
  recutter_.find_drawn(*drawn, cuts_);
  return body_of(cuts_);
}

RecutCount count_recuts(const Recutter& recutter, const PlanSettings& settings) {
  DistinctRecuts distinct(recutter);
  RecutCount count;
  for_each_planned(recutter, settings, [&](const RecutName& recut) {
    const auto found = distinct.find(recut);
    if (!found) return;
    ++count.bodies;
    count.with_several_events += found->has_several_events ? 1 : 0;
  });
  return count;
}

}  // namespace splitproof::split
