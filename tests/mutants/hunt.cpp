#include "hunt.hpp"

#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "harness/campaign/case.hpp"
#include "harness/campaign/judgement.hpp"
#include "harness/campaign/recording_run.hpp"
#include "harness/campaign/upstream.hpp"

namespace splitproof::mutants {
namespace {

using campaign::Digest;
using campaign::Reading;
using campaign::Upstream;

// One recording of a hunt.
class Ground {
 public:
  Ground(const testee::Testee& testee, const recording::Recording& recording,
         const contract::Contracts& contracts, const contract::Profile& profile)
      : testee_(testee), recording_(recording), judge_(contracts, profile, testee, recording) {}

  void try_case(const campaign::Case& one, std::size_t number, std::map<std::string, Kill>& kills) {
    const Reading* reading = reading_of(one);
    if (reading == nullptr) return;
    const Upstream upstream = campaign::upstream_of(one, recording_).value();
    const testee::Observation seen = testee_.observe(judge_.exchange(*reading, upstream));
    campaign::Punctuality punctuality;
    if (reading->as_arrived)
      punctuality = judge_.punctuality(deadlines_of(one.recut, *reading, seen.body), upstream, seen);
    // What was seen before violates nothing that was not violated before.
    if (!known_.emplace(campaign::digest_of(seen.body), reading->digest, punctuality).second) return;
    const campaign::Standing standing = campaign::standing_of(seen, testee_, upstream);
    for (const contract::Judged& judged : judge_.judge(*reading, seen, standing, punctuality)) {
      if (judged.verdict == contract::Verdict::violated)
        kills.try_emplace(judged.obligation->id, Kill{number, campaign::to_string(one), judged.message});
    }
  }

 private:
  // Null for a recut that says something else.
  const Reading* reading_of(const campaign::Case& one) {
    const auto key = std::pair(one.recut, one.fault ? campaign::label(*one.fault) : "");
    const auto known = readings_.find(key);
    if (known != readings_.end()) return known->second ? &*known->second : nullptr;
    campaign::Case as_arrived = one;
    as_arrived.split = campaign::Case().split;
    std::optional<Reading> reading =
        judge_.read(campaign::upstream_of(as_arrived, recording_).value(), one.fault.has_value());
    if (!one.recut.empty() && !campaign::says_the_same(reading->meaning, judge_.recorded())) reading.reset();
    const auto& kept = readings_.emplace(key, std::move(reading)).first->second;
    return kept ? &*kept : nullptr;
  }

  const campaign::Deadlines& deadlines_of(const std::string& recut, const Reading& reading,
                                          const std::string& body) {
    const auto key = std::pair(recut, campaign::digest_of(body));
    const auto known = deadlines_.find(key);
    return known != deadlines_.end()
               ? known->second
               : deadlines_.emplace(key, judge_.deadlines_of(reading, body)).first->second;
  }

  const testee::Testee& testee_;
  const recording::Recording& recording_;
  const campaign::Judge judge_;
  std::map<std::pair<std::string, std::string>, std::optional<Reading>> readings_;  // by recut and fault
  std::map<std::pair<std::string, Digest>, campaign::Deadlines> deadlines_;
  std::set<std::tuple<Digest, Digest, campaign::Punctuality>> known_;
};

}  // namespace

Hunt hunt(const testee::Testee& testee, const std::vector<Dealt>& deck, const contract::Contracts& contracts,
          const contract::Profile& profile, const std::string& wanted) {
  Hunt hunt;
  std::map<const recording::Recording*, std::unique_ptr<Ground>> grounds;
  for (const Dealt& dealt : deck) {
    std::unique_ptr<Ground>& ground = grounds[dealt.recording];
    if (ground == nullptr) ground = std::make_unique<Ground>(testee, *dealt.recording, contracts, profile);
    campaign::Case one = dealt.one;
    one.client = testee.client();
    ground->try_case(one, ++hunt.cases, hunt.kills);
    if (hunt.kills.count(wanted) > 0) break;
  }
  return hunt;
}

}  // namespace splitproof::mutants
