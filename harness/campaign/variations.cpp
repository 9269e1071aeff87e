#include "harness/campaign/variations.hpp"

#include <algorithm>
#include <cassert>
#include <set>
#include <string_view>
#include <utility>

#include "harness/campaign/digest.hpp"
#include "harness/campaign/fault.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/fnv1a.hpp"
#include "harness/glob.hpp"
#include "harness/observe/read_answer.hpp"
#include "harness/split/count_splits.hpp"
#include "harness/split/distinct_recuts.hpp"
#include "harness/split/recut.hpp"
#include "harness/split/recutter.hpp"

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

constexpr std::size_t kMostInBytes = 1024;

// True if `only` selects all cases of a recording by the recording's id.
bool selects_all(const std::string& only, const std::string& recording) {
  return only.empty() || matches(only, recording);
}

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
    if (trials_.listed != nullptr) return give_listed();
    if (is_about_request(recording_)) {  // it is sent once, and the answer does not matter
      if (trials_.round != Round::statuses)
        give(recorded_, as_recorded(recording_), of_share({split::Whole{}}, trials_.share),
             surveyed_.subject());
      return;
    }
    const bool silent = is_silent();
    if (trials_.round != Round::statuses) {
      if (!silent && may_select("turn=") && !give_further_turns()) return;
      if (!give_recorded(silent)) return;
      if (has_recuts() && may_select("recut=") && !give_recuts()) return;
      if (!silent && trials_.frames && may_select("frames=") && !give_frames()) return;
    }
    if (trials_.faults && may_select("fault=")) give_faults();
  }

  struct Unmade {
    std::size_t splits = 0;  // also those with equal cuts
    std::size_t recuts = 0;
    std::size_t cases = 0;
  };

  // Counts the random splits, the sweep and the recuts without making them, if all are selected.
  Unmade count_unmade() const {
    Unmade unmade;
    if (is_about_request(recording_) || trials_.round == Round::statuses || is_silent()) return unmade;
    const split::PlanSettings& splits = trials_.splits;
    unmade.cases = split::count_random_and_sweep(*surveyed_.subject(), splits);
    unmade.splits = splits.random + (splits.sweep ? recording_.body.size() : 0);
    if (!has_recuts()) return unmade;
    const split::Recutter recutter(*dialect::dealer_of(recording_.protocol), recording_.body);
    const auto recuts = split::count_recuts(recutter, {*trials_.recuts, splits.sweep, splits.seed});
    unmade.cases += recuts.bodies + recuts.with_several_events;  // whole, and event by event
    unmade.recuts = recuts.bodies;
    return unmade;
  }

  std::size_t count_faults() {
    if (trials_.listed != nullptr || is_about_request(recording_) || !may_select("") || !may_select("fault="))
      return 0;
    return chosen_faults().size();
  }

 private:
  // Each silent answer costs the testee's whole timeout, and earlier cuts do not matter.
  bool is_silent() const {
    return trials_.round == Round::over_http && recording_.end == recording::End::stall;
  }

  bool has_recuts() const {
    return trials_.recuts && trials_.round != Round::statuses && !is_silent() &&
           recording_.body.size() <= split::kMostSurveyed &&
           dialect::dealer_of(recording_.protocol) != nullptr;
  }

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

  // True if the round has this listed case.
  bool is_of_round(const Case& one) const {
    const bool is_status = one.fault && one.fault->kind == Fault::Kind::status;
    if (trials_.round == Round::exact) return trials_.share.has(0);
    if (trials_.round == Round::statuses) return is_status;
    return !is_status && trials_.share.has(0);
  }

  void give_listed() {
    const std::vector<Case> cases = trials_.listed->cases_of(recorded_.recording, recorded_.client);
    for (std::size_t i = 0; i < cases.size();) {
      // Further turns and recorded times belong to a single case.
      Case body = cases[i];
      const bool is_single = body.turn != Turn::first || body.timed();
      if (!is_single) body.split = Case().split;
      std::vector<split::Generator> splits;
      for (std::size_t first = i; i < cases.size(); ++i) {
        Case same = cases[i];
        if (!is_single) same.split = body.split;
        if (same != body || cases[i].timed() != body.timed() || (is_single && i > first)) break;
        splits.push_back(cases[i].split);
      }
      if (!is_of_round(body)) continue;
      Result<Upstream> upstream = upstream_of(body, recording_);
      assert(upstream.has_value());
      const auto subject =
          body.is_recorded() && !body.timed()
              ? surveyed_.subject()
              : std::make_shared<const split::Subject>(
                    split::survey(upstream->body, upstream->cuts, dialect::format_of(recording_.protocol)));
      if (!give(std::move(body), *std::move(upstream), std::move(splits), subject)) return;
    }
  }

  // The client's request depends on the testee's answer; the upstream's answer does not.
  bool give_further_turns() {
    if (recorded_.client == observe::kAnswerReader) return true;
    if (trials_.round == Round::over_http && trials_.has_whole && trials_.share.has(0)) {
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
    const split::Rechunker& dealer = *dialect::dealer_of(recording_.protocol);
    const split::Recuts recuts(dealer, recording_.body);
    std::vector<std::string> labels = recuts.plan(*trials_.recuts, trials_.splits.sweep, trials_.splits.seed);
    if (trials_.share != Share()) sort_by_rank(labels, number_);
    split::DistinctRecuts distinct(recuts.recutter());
    std::size_t found = 0;
    for (const std::string& label : labels) {
      if (rank_of_recut(found) >= trials_.share.end) break;
      Case one = recorded_;
      one.recut = label;
      Case whole = one;
      whole.split = split::Whole{};
      if (!selects(only_, one) && !selects(only_, whole)) continue;
      if (!distinct.find(label)) continue;
      if (!trials_.share.has(rank_of_recut(found++))) continue;
      std::optional<split::Recut> recut = recuts.make(label);
      split::Cuts cuts = std::move(recut->arrivals);
      if (!cuts.empty()) cuts.pop_back();  // the end of the body
      if (!give_broken(one, {std::move(recut->body), std::move(cuts), recording_.end},
                       {split::AsRecorded{}, split::Whole{}}))
        return false;
    }
    return true;
  }

  bool give_frames() {
    std::size_t rank = number_ % observe::frame_styles().size();  // recordings start at different styles
    for (const observe::FrameStyle& style : observe::frame_styles()) {
      if (!trials_.share.has(rank_of_recut(rank++ % observe::frame_styles().size()))) continue;
      Case one = recorded_;
      one.frames = style;
      Upstream upstream = as_recorded(recording_);
      upstream.frames = style;
      std::vector<split::Generator> splits{split::AsRecorded{}};
      // A message of the largest sizes in single bytes costs seconds.
      if (style.size <= kMostInBytes) splits.emplace_back(split::ByteByByte{});
      if (!give_broken(one, std::move(upstream), std::move(splits))) return false;
    }
    return true;
  }

  // Returns the faults of the share that `only` selects.
  std::vector<Fault> chosen_faults() const {
    std::vector<Fault> faults = faults_of(*surveyed_.subject(), trials_);
    // A testee that is the client itself has no client that leaves.
    if (recorded_.client == observe::kAnswerReader)
      std::erase_if(faults, [](const Fault& fault) { return fault.kind == Fault::Kind::leave; });
    if (trials_.share == Share() && selects_all(only_, recording_.id)) return faults;
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
  if (selects_all(only, as_recorded.recording)) return split::count_distinct(splits, *subject, earlier);
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
  Variations all(surveyed, client, trials, only, {});
  Trials made = trials;
  made.faults = false;
  Variations::Unmade unmade;
  if (trials.listed == nullptr && trials.share == Share() && selects_all(only, surveyed.recording().id)) {
    unmade = all.count_unmade();
    made.recuts = std::nullopt;
    made.splits.random = 0;
    made.splits.sweep = false;
  }
  extent.cases = unmade.cases;
  std::size_t splits = 0;  // most of one body
  std::size_t bodies = unmade.recuts;
  for_each_variation(surveyed, client, made, only, [&](const Variation& variation) {
    extent.cases += variation.count();
    splits = std::max(splits, variation.splits.size());
    return ++bodies > 0;
  });
  std::size_t most = std::max(splits + unmade.splits, bodies);
  if (trials.faults) {
    const std::size_t faults = all.count_faults();
    extent.cases += faults;
    most = std::max(most, 2 * faults);  // scattered
  }
  extent.ranks = kFirstSplits + kTurn * most;
  return extent;
}

}  // namespace splitproof::campaign
