#include "harness/campaign/variations.hpp"

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

#include "harness/campaign/digest.hpp"
#include "harness/campaign/fault.hpp"
#include "harness/dialect/registry.hpp"
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

// Gives the variations of one recording.
class Variations {
 public:
  Variations(const recording::Recording& recording, const std::string& client, const Trials& trials,
             const std::string& only, const std::function<bool(Variation)>& take)
      : recording_(recording), trials_(trials), only_(only), take_(take), recorded_{recording.id, client} {}

  void give() {
    if (!may_select("")) return;
    std::vector<std::size_t> arrivals;
    for (const recording::Arrival& arrival : recording_.arrivals) arrivals.push_back(arrival.end);
    subject_ = std::make_shared<split::Subject>(
        split::survey(recording_.body, arrivals, dialect::format_of(recording_.protocol)));
    // Each answer that falls silent costs the testee's whole timeout, and how it was cut before tells nothing new.
    const bool silent = trials_.round == Round::over_http && recording_.end == recording::End::stall;
    if (trials_.round != Round::statuses) {
      if (!give_recorded(silent)) return;
      if (!silent && trials_.recuts && may_select("recut=") && !give_recuts()) return;
    }
    if (trials_.faults && may_select("fault=")) give_faults();
  }

 private:
  // Whether `only` may select any case whose id goes on so.
  bool may_select(const char* next) const {
    const std::string beginning = recorded_.recording + "?client=" + recorded_.client + "&" + next;
    return campaign::may_select(only_, recorded_.recording, beginning);
  }

  bool give_recorded(bool silent) {
    std::vector<split::Generator> splits{split::AsRecorded{}, split::Whole{}};
    if (!silent) splits = split::plan(*subject_, trials_.splits);
    if (trials_.round == Round::over_http) splits.emplace_back(split::Withheld{});
    return give(recorded_, {recording_.body, subject_->arrivals, recording_.end}, std::move(splits),
                subject_);
  }

  bool give_recuts() {
    const split::Dealer* dealer = dialect::dealer_of(recording_.protocol);
    if (dealer == nullptr) return true;
    const split::Recuts recuts(*dealer, recording_.body);
    std::set<Digest> known;
    for (const std::string& label : recuts.plan(*trials_.recuts, trials_.splits.sweep, trials_.splits.seed)) {
      Case one = recorded_;
      one.recut = label;
      Case whole = one;
      whole.split = split::Whole{};
      if (!selects(only_, one) && !selects(only_, whole)) continue;
      std::optional<split::Recut> recut = recuts.make(label);
      if (!recut || !known.insert(digest_of(recut->body)).second) continue;
      split::Cuts cuts = std::move(recut->arrivals);
      if (!cuts.empty()) cuts.pop_back();  // the end of the body
      if (!give_broken(one, {std::move(recut->body), std::move(cuts), recording_.end},
                       {split::AsRecorded{}, split::Whole{}}))
        return false;
    }
    return true;
  }

  void give_faults() {
    for (const Fault& fault : faults_of(*subject_, trials_)) {
      Case one = recorded_;
      one.fault = fault;
      if (!selects(only_, one)) continue;
      Upstream broken{recording_.body, subject_->arrivals, recording_.end};
      [[maybe_unused]] const Result<void> applied = apply(fault, recording_.protocol, broken);
      assert(applied.has_value());
      if (broken.status) broken.cuts.clear();
      broken.cuts.erase(std::lower_bound(broken.cuts.begin(), broken.cuts.end(), broken.body.size()),
                        broken.cuts.end());
      if (!give_broken(std::move(one), std::move(broken), {split::AsRecorded{}})) return;
    }
  }

  // These splits ask nothing about the body.
  bool give_broken(Case one, Upstream upstream, std::vector<split::Generator> splits) {
    auto subject =
        std::make_shared<split::Subject>(split::Subject{upstream.body.size(), {}, upstream.cuts, {}});
    return give(std::move(one), std::move(upstream), std::move(splits), std::move(subject));
  }

  bool give(Case one, Upstream upstream, std::vector<split::Generator> splits,
            std::shared_ptr<const split::Subject> subject) {
    Variation variation{std::move(one), std::move(upstream), std::move(splits), std::move(subject), only_};
    const bool none = variation.for_each_case([](const Case&, const split::Cuts&) { return false; });
    return none || take_(std::move(variation));
  }

  const recording::Recording& recording_;
  const Trials& trials_;
  const std::string& only_;
  const std::function<bool(Variation)>& take_;
  const Case recorded_;
  std::shared_ptr<const split::Subject> subject_;
};

}  // namespace

bool Variation::for_each_case(const std::function<bool(const Case&, split::Cuts)>& take) const {
  Case one = as_recorded;
  // A few cuts of a recorded body have a name of their own.
  const bool by_cuts = one.recut.empty() && !one.fault &&
                       may_select(only, one.recording, one.recording + "?client=" + one.client + "&cuts=");
  std::set<Digest> known;
  for (const split::Generator& split : splits) {
    one.split = split;
    if (!by_cuts && !selects(only, one)) continue;
    split::Cuts cuts = split::generate(split, *subject).value();
    if (by_cuts && !selects(only, one, cuts)) continue;
    // To hold an answer back is another thing than to cut it.
    if (!one.withheld() && !known.insert(digest_of_cuts(cuts)).second) continue;
    if (!take(one, std::move(cuts))) return false;
  }
  return true;
}

std::size_t Variation::count() const {
  std::size_t cases = 0;
  for_each_case([&](const Case&, const split::Cuts&) { return ++cases > 0; });
  return cases;
}

void for_each_variation(const recording::Recording& recording, const std::string& client,
                        const Trials& trials, const std::string& only,
                        const std::function<bool(Variation)>& take) {
  Variations(recording, client, trials, only, take).give();
}

}  // namespace splitproof::campaign
