#include "harness/campaign/client_demand.hpp"

#include <algorithm>
#include <string>

#include "harness/campaign/deadlines.hpp"
#include "harness/contract/judge.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/event_stream.hpp"
#include "harness/observe/framing.hpp"

namespace splitproof::campaign {
namespace {

using Outcome = observe::DemandedAnswer::Outcome;

constexpr int kErrorStatus = 400;  // of HTTP's statuses

// Returns the first rule of the protocol that the stream violates, or "".
std::string violated_rule(const contract::Contracts& contracts, const contract::Profile& profile,
                          std::string_view protocol, const Upstream& upstream) {
  if (dialect::client_of(protocol) == nullptr)
    return {};  // without a client, there are no rules for its streams
  observe::BodyStream stream(upstream.body, contracts.data_kind(protocol), observe::BodyStream::kWindow,
                             end_of(upstream));
  for (const contract::Judged& one : contract::judge(contracts, protocol, profile, stream, {}))
    if (one.verdict == contract::Verdict::violated && one.obligation->level == contract::Level::must)
      return one.obligation->id;
  return {};
}

std::string unjudged_because(const contract::Contracts& contracts, const contract::Profile& profile,
                             std::string_view protocol, const UpstreamReading& reading,
                             const Upstream& upstream) {
  if (!reading.unread.empty()) return reading.unread;
  for (const char* shape : {"ambiguous", "text_unclear", "thinking_unclear"})
    if (reading.meaning.shapes.contains(shape)) return "the stream can be read in several ways";
  const std::string rule = violated_rule(contracts, profile, protocol, upstream);
  return rule.empty() ? rule : "the stream violates " + rule;
}

Outcome outcome_of(const UpstreamReading& reading, const Upstream& upstream, int status, bool is_sound) {
  const observe::Answer& meaning = reading.meaning;
  if (status >= kErrorStatus) return Outcome::failed;
  const bool is_whole = is_sound && !reading.broken;
  if (meaning.error) return is_whole ? Outcome::failed : Outcome::open;
  const bool is_complete = upstream.end == recording::End::complete;
  if (meaning.finish || meaning.done) return is_complete && is_whole ? Outcome::success : Outcome::open;
  return is_complete ? Outcome::incomplete : Outcome::broken_off;
}

// Adds the places in the stream with new text.
void add_places(std::string_view protocol, const observe::Choices& choices, const std::string& body,
                observe::DemandedAnswer& demanded) {
  const dialect::UpstreamDialect* spoken = dialect::upstream_of(protocol);
  const auto answer = spoken->reader(choices);
  std::size_t before = 0;
  observe::for_each_frame(body, spoken->format().framing, [&](const observe::SseEvent& frame) {
    answer->take(frame);
    // After a CR, the event is due with the next byte, because that may be the LF of a CR LF.
    if (!frame.terminated || body[frame.end - 1] == '\r') return true;
    std::size_t text = 0;
    for (const observe::Part& part : answer->so_far().parts)
      if (part.kind == observe::PartKind::text) text += part.text.size();
    if (text > before) demanded.text_after.emplace_back(frame.end, text);
    before = std::max(before, text);
    return true;
  });
}

}  // namespace

observe::DemandedAnswer demand_of(const contract::Contracts& contracts, const contract::Profile& profile,
                                  std::string_view protocol, const observe::Choices& choices,
                                  const UpstreamReading& reading, const Upstream& upstream, int status,
                                  const observe::DemandedAnswer* whole) {
  observe::DemandedAnswer demanded = observe::demanded_answer(reading.meaning);
  const bool failed = status >= kErrorStatus;
  demanded.unjudged = whole != nullptr ? whole->unjudged
                      : failed         ? std::string()
                                       : unjudged_because(contracts, profile, protocol, reading, upstream);
  demanded.outcome = outcome_of(reading, upstream, status, demanded.unjudged.empty());
  if (demanded.unjudged.empty() && demanded.outcome == Outcome::success)
    add_places(protocol, choices, upstream.body, demanded);
  return demanded;
}

std::vector<testee::Hold> holds_of(const observe::DemandedAnswer& demanded) {
  const auto& places = demanded.text_after;
  const std::size_t count = std::min(places.size(), kMostHolds);
  std::vector<testee::Hold> holds;
  for (std::size_t i = 0; i < count; ++i) {
    const auto place = places[i * places.size() / count];
    holds.push_back({place.first, [due = place.second](std::string_view lines) {
                       return observe::told_in(lines).value_or(0) >= due;
                     }});
  }
  return holds;
}

}  // namespace splitproof::campaign
