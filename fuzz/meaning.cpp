// Holds two readings of any bytes against each other: the reference translator's and the harness's own, which share no
// code. What the reference makes of a body, cut at two places and with any kind of ending, has to mean what the harness
// read in it, to be out in time, and to meet every other `must`.
//
// Bytes 0-3 choose the cuts, byte 4 the ending and the protocols, the rest is the upstream body.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "fuzz/input.hpp"
#include "fuzz/pairs.hpp"
#include "harness/campaign/baselines.hpp"
#include "harness/testee/in_process.hpp"

using namespace splitproof;

namespace {

template <class T>
T loaded(Result<T> result) {
  if (!result) {
    std::cerr << describe(result.error()) << "\n";
    std::abort();
  }
  return std::move(*result);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto contracts = loaded(contract::Contracts::load({SPLITPROOF_CONTRACTS}));
  static const auto profile = loaded(contract::load_profile("default", {SPLITPROOF_CONTRACTS}));
  static const std::vector<testee::InProcess> references = [] {
    std::vector<testee::InProcess> all;
    for (const auto& [upstream, client] : fuzz::pairs())
      all.emplace_back("reference",
                       loaded(testee::reference_streams(profile, upstream->protocol, client->protocol)),
                       std::string(upstream->protocol), std::string(client->protocol));
    return all;
  }();
  if (size < 6) return 0;
  const testee::InProcess& reference = references[fuzz::pair_of(data[4])];
  fuzz::CutInput input = fuzz::cut_input(data, size);
  input.body.remove_prefix(1);

  recording::Recording recording;
  recording.id = "fuzz";
  recording.protocol = reference.upstream();
  recording.body = input.body;
  recording.arrivals = {{0, recording.body.size()}};
  recording.end = static_cast<recording::End>(fuzz::ending_of(data[4]));

  campaign::Upstream upstream{recording.body, {}, recording.end};
  const campaign::Judge judge(contracts, profile, testee::traits_of(reference), recording);
  const campaign::Baselines baselines(judge, campaign::asked_of(reference, recording));
  const campaign::Reading reading = judge.read(upstream, false);
  const campaign::Baseline baseline = baselines.of(reading, upstream);
  for (const std::size_t cut :
       {std::min(input.first, recording.body.size()), std::min(input.second, recording.body.size())}) {
    const std::size_t before = upstream.cuts.empty() ? 0 : upstream.cuts.back();
    if (cut > before && cut < recording.body.size()) upstream.cuts.push_back(cut);
  }
  const testee::Observation seen = reference.observe(campaign::exchange_of(upstream, recording));
  for (const contract::Judged& judged : judge.judge(reading, baseline, upstream, seen)) {
    const bool must = judged.obligation->level == contract::Level::must;
    if (!must || judged.verdict != contract::Verdict::violated) continue;
    std::cerr << judged.obligation->id << ": " << judged.message << "\n--- upstream\n"
              << recording.body << "\n--- downstream\n"
              << seen.body << "\n---\n";
    std::abort();
  }
  return 0;
}
