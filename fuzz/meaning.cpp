// Compares two readings of any bytes: the reference translator's and the harness's own. They share no code. The
// reference's output for a body, with two cuts and any ending, has the meaning that the harness read. It is in time,
// and meets every other `must`.
//
// Bytes 0-3 choose the cuts, byte 4 the ending and the protocols, the rest is the upstream body.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/pairs.hpp"
#include "fuzz/reference.hpp"
#include "harness/campaign/baselines.hpp"
#include "harness/testee/in_process.hpp"

using namespace splitproof;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<testee::InProcess> references = [] {
    std::vector<testee::InProcess> all;
    for (const auto& [upstream, client] : fuzz::pairs())
      all.emplace_back(
          "reference",
          fuzz::loaded(testee::reference_streams(fuzz::profile(), upstream->protocol, client->protocol)),
          std::string(upstream->protocol), std::string(client->protocol));
    return all;
  }();
  if (size < 6) return 0;
  const testee::InProcess& reference = references[fuzz::pair_of(data[4])];
  const fuzz::CutInput input = fuzz::chosen_input(data, size);

  recording::Recording recording;
  recording.id = "fuzz";
  recording.protocol = reference.upstream();
  recording.body = input.body;
  recording.arrivals = {{0, recording.body.size()}};
  recording.end = static_cast<recording::End>(fuzz::ending_of(data[4]));

  results::Upstream upstream{recording.body, {}, recording.end};
  const campaign::Judge judge(fuzz::contracts(), fuzz::profile(), reference.traits(), recording);
  const campaign::Baselines baselines(judge, campaign::asked_of(reference, recording));
  const campaign::UpstreamReading reading = judge.read(upstream, campaign::Alteration::none);
  const campaign::Baseline baseline = baselines.of(reading, upstream);
  for (const std::size_t cut : {input.first, input.second}) {
    const std::size_t before = upstream.cuts.empty() ? 0 : upstream.cuts.back();
    if (cut > before && cut < recording.body.size()) upstream.cuts.push_back(cut);
  }
  const testee::Observation seen = reference.observe(campaign::exchange_of(upstream, recording));
  for (const contract::Judged& judged : judge.judge(reading, baseline, upstream, seen)) {
    const bool must = judged.obligation->level == contract::Level::must;
    if (!must || judged.verdict != contract::Verdict::violated) continue;
    fuzz::give_up(judged.obligation->id + ": " + judged.message + "\n--- upstream\n" + recording.body,
                  seen.body);
  }
  return 0;
}
