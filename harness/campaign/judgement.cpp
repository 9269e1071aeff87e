#include "harness/campaign/judgement.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/campaign/meta.hpp"

namespace splitproof::campaign {
namespace {

using contract::Judged;
using contract::Verdict;

constexpr std::size_t kEvidenceBytes = 160;  // shown from where two bodies differ

// The event that holds byte `at`.
std::optional<std::size_t> event_at(const observe::Trace& trace, std::size_t at) {
  const auto found = std::find_if(trace.events.begin(), trace.events.end(),
                                  [&](const observe::Event& e) { return at < e.end; });
  if (found == trace.events.end()) return std::nullopt;
  return static_cast<std::size_t>(found - trace.events.begin());
}

Judged met(const contract::Obligation& obligation) {
  Judged judged;
  judged.obligation = &obligation;
  judged.verdict = Verdict::met;
  return judged;
}

}  // namespace

split::Subject subject_of(const recording::Recording& recording) {
  std::vector<std::size_t> arrivals;
  for (const recording::Arrival& arrival : recording.arrivals) arrivals.push_back(arrival.end);
  return split::survey(recording.body, arrivals);
}

Judge::Judge(const contract::Contracts& contracts, const contract::Profile& profile,
             const testee::Testee& testee, const recording::Recording& recording)
    : contracts_(contracts), profile_(profile), client_(testee.client()) {
  const split::Cuts arrivals = subject_of(recording).arrivals;
  recorded_body_ = testee.observe({split::chunks(recording.body, arrivals), recording.end}).body;
  recorded_message_ = observe::assemble_anthropic_message(trace_of(recorded_body_));
}

observe::Trace Judge::trace_of(std::string_view body) const {
  return observe::read_trace(body, contracts_.data_kind(client_));
}

std::vector<Judged> Judge::judge(std::string_view body, const observe::Trace& trace) const {
  std::vector<Judged> judged = contract::judge(contracts_, client_, profile_, trace, {});
  judged.push_back(same_bytes(body, trace));
  judged.push_back(same_meaning(trace));
  return judged;
}

Judged Judge::same_bytes(std::string_view body, const observe::Trace& trace) const {
  Judged judged = met(meta_obligation(kSameBytes));
  if (body == recorded_body_) return judged;
  const auto differ = std::mismatch(body.begin(), body.end(), recorded_body_.begin(), recorded_body_.end());
  judged.verdict = Verdict::violated;
  judged.begin = static_cast<std::size_t>(differ.first - body.begin());
  judged.end = std::min(judged.begin + kEvidenceBytes, body.size());
  judged.event = event_at(trace, judged.begin);
  judged.message =
      "from byte " + std::to_string(judged.begin) + " on the output is not that of the body as recorded";
  return judged;
}

Judged Judge::same_meaning(const observe::Trace& trace) const {
  Judged judged = met(meta_obligation(kSameMeaning));
  const std::string difference =
      observe::describe_difference(recorded_message_, observe::assemble_anthropic_message(trace));
  if (difference.empty()) return judged;
  judged.verdict = Verdict::violated;
  judged.message = "the message is not that of the body as recorded: " + difference;
  return judged;
}

}  // namespace splitproof::campaign
