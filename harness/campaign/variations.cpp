#include "harness/campaign/variations.hpp"

#include <algorithm>
#include <cassert>
#include <set>
#include <string_view>
#include <utility>

#include "harness/campaign/digest.hpp"
#include "harness/campaign/fault.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/fnv1a.hpp"
#include "harness/split/recut.hpp"

namespace splitproof::campaign {
namespace {

Digest digest_of_cuts(const split::Cuts& cuts) {
  return digest_of(
      std::string_view(reinterpret_cast<const char*>(cuts.data()), cuts.size() * sizeof(std::size_t)));
}

std::vector<Fault> faults_of(const split::Subject& subject, const Trials& trials) {
  switch (trials.round) {
    case Round::over_http:
      return plan_http_faults(subject.size, subject.event_ends);
    case Round::statuses:
      return plan_statuses();
    case Round::exact:
      break;
  }
  return plan_faults(subject.size, trials.splits.seed);
}

// Ranks: three splits, with second turns at the last two; then a recut, a fault and another split in turn.
constexpr std::size_t kFirstSplits = 3;
constexpr std::size_t kTurn = 3;
std::size_t rank_of_recut(std::size_t place) { return kFirstSplits + kTurn * place; }
std::size_t rank_of_fault(std::size_t place) { return kFirstSplits + kTurn * place + 1; }

// Returns the generators of the share for the recorded body.
std::vector<split::Generator> of_share(const std::vector<split::Generator>& splits, const Share& share) {
  std::vector<split::Generator> chosen;
  std::size_t others = 0;
  for (const split::Generator& split : splits) {
    std::size_t rank = 0;
    if (std::holds_alternative<split::ByteByByte>(split)) {
      rank = 1;
    } else if (split == split::Generator(split::Withheld{})) {
      rank = 2;
    } else if (!std::holds_alternative<split::Whole>(split)) {
      rank = kFirstSplits + kTurn * others++ + 2;
    }
    if (share.has(rank)) chosen.push_back(split);
  }
  return chosen;
}

// True if a recut is one of many ordinary recuts of its kind.
bool is_lone(std::string_view label) {
  return label.starts_with("random:") || label.starts_with("cut:") ||
         (label.starts_with("seam:") && std::count(label.begin(), label.end(), ':') > 1);
}

// Sorts labels by rank: first by kinds, starting at a kind that depends on the recording, then kinds with
// many labels.
void sort_by_rank(std::vector<std::string>& labels, std::uint64_t recording) {
  const auto lone = std::stable_partition(labels.begin(), labels.end(),
                                          [](const std::string& label) { return !is_lone(label); });
  const auto kinds = static_cast<std::uint64_t>(lone - labels.begin());
  if (kinds > 0)
    std::rotate(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(recording % kinds), lone);
}

// Returns places of `count` things so that neighbours are far apart. Some places below the next power of two
// may stay empty.
std::size_t scattered(std::size_t number, std::size_t count, std::uint64_t recording) {
  std::size_t place = 0;
  std::size_t span = 1;
  for (; span < count; span *= 2) {
    place = 2 * place + number % 2;
    number /= 2;
  }
  return place ^ (recording % span);
}

// Generates the variations of one recording.
class Variations {
 public:
  Variations(const Surveyed& surveyed, const std::string& client, const Trials& trials,
             const std::string& only, std::function<bool(Variation)> take)
      : surveyed_(surveyed),
        recording_(surveyed.recording()),
        trials_(trials),
        only_(only),
        take_(std::move(take)),
        recorded_{recording_.id, client} {}

  void give() {
    if (!may_select("")) return;
    if (is_about_request(recording_)) {  // it is sent once, and the answer does not matter
      if (trials_.round != Round::statuses)
        give(recorded_, as_recorded(recording_), of_share({split::Whole{}}, trials_.share),
             surveyed_.subject());
      return;
    }
    // Each silent answer costs the testee's whole timeout, and earlier cuts do not matter.
    const bool silent = trials_.round == Round::over_http && recording_.end == recording::End::stall;
    if (trials_.round != Round::statuses) {
      if (!silent && may_select("turn=") && !give_further_turns()) return;
      if (!give_recorded(silent)) return;
      const bool has_recuts = trials_.recuts && recording_.body.size() <= split::kMostSurveyed;
      if (!silent && has_recuts && may_select("recut=") && !give_recuts()) return;
    }
    if (trials_.faults && may_select("fault=")) give_faults();
  }

  std::size_t count_faults() {
    if (is_about_request(recording_) || !may_select("") || !may_select("fault=")) return 0;
    return chosen_faults().size();
  }

 private:
  // True if `only` may select a case whose id continues like this.
  bool may_select(const char* next) const {
    const std::string beginning = recorded_.recording + "?client=" + recorded_.client + "&" + next;
    return campaign::may_select(only_, recorded_.recording, beginning);
  }

  bool give_recorded(bool silent) {
    std::vector<split::Generator> splits{split::AsRecorded{}, split::Whole{}};
    if (!silent) splits = split::plan(*surveyed_.subject(), trials_.splits);
    if (trials_.round == Round::over_http) splits.emplace_back(split::Withheld{});
    const Share& share = trials_.share;
    return give(recorded_, as_recorded(recording_), of_share(splits, share), surveyed_.subject(),
                of_share(splits, {0, share.begin}));
  }

  // The client's request depends on the testee's answer; the upstream's answer does not.
  bool give_further_turns() {
    if (trials_.round == Round::over_http && trials_.share.has(0)) {
      Case one = recorded_;
      one.turn = Turn::whole;
      if (!give_broken(std::move(one), as_recorded(recording_), {split::AsRecorded{}})) return false;
    }
    const recording::Recording* answered = answered_in_one_word(recording_.protocol);
    if (answered == nullptr) return true;
    std::size_t rank = 0;
    for (const Turn turn : {Turn::second, Turn::reversed, Turn::third}) {
      if (!trials_.share.has(++rank)) continue;
      Case one = recorded_;
      one.turn = turn;
      if (!give_broken(std::move(one), as_recorded(*answered), {split::AsRecorded{}})) return false;
    }
    return true;
  }

  bool give_recuts() {
    const split::Rechunker* dealer = dialect::dealer_of(recording_.protocol);
    if (dealer == nullptr) return true;
    const split::Recuts recuts(*dealer, recording_.body);
    std::vector<std::string> labels = recuts.plan(*trials_.recuts, trials_.splits.sweep, trials_.splits.seed);
    if (trials_.share != Share()) sort_by_rank(labels, number_);
    std::set<Digest> known;
    for (const std::string& label : labels) {
      if (rank_of_recut(known.size()) >= trials_.share.end) break;
      Case one = recorded_;
      one.recut = label;
      Case whole = one;
      whole.split = split::Whole{};
      if (!selects(only_, one) && !selects(only_, whole)) continue;
      std::optional<split::Recut> recut = recuts.make(label);
      if (!recut || !known.insert(digest_of(recut->body)).second) continue;
      if (!trials_.share.has(rank_of_recut(known.size() - 1))) continue;
      split::Cuts cuts = std::move(recut->arrivals);
      if (!cuts.empty()) cuts.pop_back();  // the end of the body
      if (!give_broken(one, {std::move(recut->body), std::move(cuts), recording_.end},
                       {split::AsRecorded{}, split::Whole{}}))
        return false;
    }
    return true;
  }

  // Returns the faults of the share that `only` selects.
  std::vector<Fault> chosen_faults() const {
    const std::vector<Fault> faults = faults_of(*surveyed_.subject(), trials_);
    std::vector<Fault> chosen;
    for (std::size_t i = 0; i < faults.size(); ++i) {
      if (!trials_.share.has(rank_of_fault(scattered(i, faults.size(), number_)))) continue;
      Case one = recorded_;
      one.fault = faults[i];
      if (selects(only_, one)) chosen.push_back(faults[i]);
    }
    return chosen;
  }

  void give_faults() {
    for (const Fault& fault : chosen_faults()) {
      Case one = recorded_;
      one.fault = fault;
      Upstream broken = as_recorded(recording_);
      [[maybe_unused]] const Result<void> applied = apply(fault, recording_.protocol, broken);
      assert(applied.has_value());
      if (broken.status) broken.cuts.clear();
      broken.cuts.erase(std::lower_bound(broken.cuts.begin(), broken.cuts.end(), broken.body.size()),
                        broken.cuts.end());
      if (!give_broken(std::move(one), std::move(broken), {split::AsRecorded{}})) return;
    }
  }

  // These splits need no survey of the body.
  bool give_broken(Case one, Upstream upstream, std::vector<split::Generator> splits) {
    auto subject =
        std::make_shared<split::Subject>(split::Subject{upstream.body.size(), {}, upstream.cuts, {}});
    return give(std::move(one), std::move(upstream), std::move(splits), std::move(subject));
  }

  bool give(Case one, Upstream upstream, std::vector<split::Generator> splits,
            std::shared_ptr<const split::Subject> subject, std::vector<split::Generator> earlier = {}) {
    Variation variation{std::move(one),     std::move(upstream), std::move(splits),
                        std::move(earlier), std::move(subject),  only_};
    const bool none = variation.for_each_case([](const Case&, const split::Cuts&) { return false; });
    return none || take_(std::move(variation));
  }

  const Surveyed& surveyed_;
  const recording::Recording& recording_;
  const Trials& trials_;
  const std::string& only_;
  const std::function<bool(Variation)> take_;
  const Case recorded_;
  const std::uint64_t number_ = fnv1a(recorded_.recording);  // recordings start at different kinds
};

}  // namespace

bool Variation::for_each_case(const std::function<bool(const Case&, split::Cuts)>& take) const {
  Case one = as_recorded;
  // A few cuts of a recorded body also have a name by offsets.
  const bool by_cuts = one.is_recorded() &&
                       may_select(only, one.recording, one.recording + "?client=" + one.client + "&cuts=");
  std::set<Digest> known;
  for (const auto* list : {&earlier, &splits}) {
    for (const split::Generator& split : *list) {
      one.split = split;
      if (!by_cuts && !selects(only, one)) continue;
      split::Cuts cuts = split::generate(split, *subject).value();
      if (by_cuts && !selects(only, one, cuts)) continue;
      // Withholding differs from cutting.
      if (!one.withheld() && !known.insert(digest_of_cuts(cuts)).second) continue;
      if (list == &splits && !take(one, std::move(cuts))) return false;
    }
  }
  return true;
}

std::size_t Variation::count() const {
  std::size_t cases = 0;
  for_each_case([&](const Case&, const split::Cuts&) { return ++cases > 0; });
  return cases;
}

void for_each_variation(const Surveyed& surveyed, const std::string& client, const Trials& trials,
                        const std::string& only, const std::function<bool(Variation)>& take) {
  Variations(surveyed, client, trials, only, take).give();
}

std::vector<Share> by_worth(const Share& whole) {
  constexpr std::size_t kMostRanks = std::size_t{1} << 40;
  std::vector<Share> shares{{whole.begin, 1}};
  for (std::size_t end = kQuick.end; shares.back().end < std::min(whole.end, kMostRanks);
       end = 2 * end + kTurn)
    shares.push_back({shares.back().end, std::min(end, whole.end)});
  shares.back().end = whole.end;
  return shares;
}

Extent extent_of(const Surveyed& surveyed, const std::string& client, const Trials& trials,
                 const std::string& only) {
  Extent extent;
  std::size_t most = 0;  // of splits, recuts or faults
  std::size_t recuts = 0;
  Trials unbroken = trials;
  unbroken.faults = false;
  for_each_variation(surveyed, client, unbroken, only, [&](const Variation& variation) {
    extent.cases += variation.count();
    most = std::max({most, variation.splits.size(), ++recuts});
    return true;
  });
  if (trials.faults) {  // each is one case, so no body is needed
    const std::size_t faults = Variations(surveyed, client, trials, only, {}).count_faults();
    extent.cases += faults;
    most = std::max(most, 2 * faults);  // scattered
  }
  extent.ranks = kFirstSplits + kTurn * most;
  return extent;
}

}  // namespace splitproof::campaign
