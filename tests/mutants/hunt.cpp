#include "hunt.hpp"

#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "harness/campaign/asked_judge.hpp"
#include "harness/campaign/baselines.hpp"
#include "harness/campaign/case.hpp"
#include "harness/campaign/outcomes.hpp"
#include "harness/campaign/recording_run.hpp"
#include "harness/campaign/upstream.hpp"

namespace splitproof::mutants {
namespace {

using campaign::Digest;
using campaign::UpstreamBody;
using results::Upstream;

// One recording of a hunt.
class Ground {
 public:
  Ground(const testee::Testee& testee, const recording::Recording& recording,
         const contract::Contracts& contracts, const contract::Profile& profile)
      : testee_(testee),
        recording_(recording),
        judge_(contracts, profile, testee.traits(), recording),
        baselines_(judge_, campaign::asked_of(testee, recording)) {}

  void try_case(const campaign::Case& one, std::size_t number, std::map<std::string, Kill>& kills) {
    UpstreamBody* body = body_of(one);
    if (body == nullptr) return;
    const Upstream upstream = campaign::upstream_of(one, recording_).value();
    const testee::Observation seen = testee_.observe(judge_.exchange(body->reading, upstream));
    const Digest digest = campaign::digest_of(seen.body);
    const campaign::Timeliness timeliness = campaign::timeliness_of(judge_, *body, upstream, seen);
    // A known observation adds no new violation.
    if (!known_.emplace(digest, body->reading.digest, body->baseline.digest, timeliness).second) return;
    const campaign::Judgeability judgeability = campaign::judgeability_of(seen, judge_.testee(), upstream);
    for (const contract::Judged& judged :
         judge_.judge(body->reading, body->baseline, seen, judgeability, timeliness)) {
      if (judged.verdict == contract::Verdict::violated)
        kills.try_emplace(judged.obligation->id, Kill{number, campaign::to_string(one), judged.message});
    }
  }

 private:
  // Returns null for a recut with another meaning.
  UpstreamBody* body_of(const campaign::Case& one) {
    const auto key = std::pair(one.recut, one.fault ? campaign::label(*one.fault) : "");
    const auto [known, is_new] = bodies_.try_emplace(key);
    if (is_new) {
      campaign::Case as_recorded = one;
      as_recorded.split = campaign::Case().split;
      const Upstream as_arrived = campaign::upstream_of(as_recorded, recording_).value();
      campaign::UpstreamReading reading = judge_.read(as_arrived, one.alteration());
      if (one.recut.empty() || campaign::says_the_same(reading.meaning, judge_.recorded().meaning)) {
        known->second = UpstreamBody{std::move(reading), {}};
        known->second->baseline = baselines_.of(known->second->reading, as_arrived);
      }
    }
    return known->second ? &*known->second : nullptr;
  }

  const testee::Testee& testee_;
  const recording::Recording& recording_;
  const campaign::Judge judge_;
  const campaign::Baselines baselines_;
  std::map<std::pair<std::string, std::string>, std::optional<UpstreamBody>> bodies_;  // by recut and fault
  std::set<std::tuple<Digest, Digest, Digest, campaign::Timeliness>> known_;
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

Hunt hunt_requests(const testee::Testee& testee, const std::vector<recording::Recording>& requests,
                   const contract::Contracts& contracts, const contract::Profile& profile,
                   const std::string& wanted) {
  Hunt hunt;
  const testee::Traits traits = testee.traits();
  for (const recording::Recording& request : requests) {
    ++hunt.cases;
    const campaign::AskedJudge judge(contracts, profile, traits, request);
    for (const contract::Judged& judged : judge.judge(testee.asks(request))) {
      if (judged.verdict == contract::Verdict::violated)
        hunt.kills.try_emplace(judged.obligation->id, Kill{hunt.cases, request.id, judged.message});
    }
    if (hunt.kills.count(wanted) > 0) break;
  }
  return hunt;
}

}  // namespace splitproof::mutants
