#include "harness/campaign/case_lab.hpp"

#include "harness/campaign/upstream.hpp"

namespace splitproof::campaign {

testee::Observation Seen::operator()(const Upstream& upstream, const testee::Exchange& exchange) {
  for (const auto& [asked, seen] : known_)
    if (!upstream.withheld && asked == upstream) return seen;
  return known_.emplace_back(upstream, testee_.observe(exchange)).second;
}

CaseLab::CaseLab(const contract::Contracts& contracts, const contract::Profile& profile,
                 const testee::Traits& testee, const recording::Recording& recording, Observing observing,
                 std::shared_ptr<const observe::Answer> answered,
                 std::shared_ptr<const StreamedCounterpart> streamed)
    : recording_(recording),
      judge_(contracts, profile, testee, recording, std::move(answered), std::move(streamed)),
      observing_(std::move(observing)) {}

Result<JudgedCase> CaseLab::open(const Case& one) const {
  Case as_arrived = one;
  as_arrived.split = Case().split;
  auto upstream = upstream_of(one, recording_);
  if (!upstream) return tl::unexpected(upstream.error());
  auto arrived = upstream_of(as_arrived, recording_);
  if (!arrived) return tl::unexpected(arrived.error());
  UpstreamReading reading = judge_.read(*arrived, one.alteration());
  return JudgedCase{one, *std::move(upstream), *std::move(arrived), std::move(reading)};
}

const Baselines& CaseLab::baselines() {
  if (baselines_ == nullptr) {
    baselines_ = std::make_unique<const Baselines>(judge_, [this](const Upstream& upstream) {
      return observing_(upstream, exchange_of(upstream, recording_));
    });
  }
  return *baselines_;
}

void CaseLab::run(JudgedCase& opened) {
  const Baseline baseline = baselines().of(opened.reading, opened.as_arrived);
  testee::Exchange exchange = judge_.exchange(opened.reading, opened.upstream);
  exchange.name = to_string(opened.one);
  opened.seen = observing_(opened.upstream, exchange);
  if (opened.seen.ending == testee::Ending::unavailable) return;
  opened.all = judge_.judge(opened.reading, baseline, opened.upstream, opened.seen);
}

Result<JudgedCase> CaseLab::run(const Case& one) {
  Result<JudgedCase> opened = open(one);
  if (opened) run(*opened);
  return opened;
}

}  // namespace splitproof::campaign
