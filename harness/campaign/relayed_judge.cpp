// Judges testees whose clients speak the upstream's protocol. Compares their output with the upstream's own
// stream. The upstream's own violations are not the testee's.

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/aws_document.hpp"
#include "harness/campaign/judge.hpp"
#include "harness/observe/framing.hpp"

namespace splitproof::campaign {
namespace {

using contract::Judged;
using contract::Verdict;

constexpr int kOfNobody = 500;  // HTTP status of an unspecific error

// Returns the content for a client that speaks the upstream's protocol.
observe::NormalisedAnswer relayed_side(const dialect::Client& client, observe::EventStream& stream) {
  observe::NormalisedAnswer side = client.side(stream);
  side.notes = client.notes(stream);
  return side;
}

// If a stream fails anyway, it may fail at its first violation.
bool failed_early(const UpstreamOwnViolations& relayed, const observe::NormalisedAnswer& got) {
  return relayed.sound && got.begins_as(*relayed.sound);
}

// If a stream is cut off after an event that nobody can read, it may fail at this event already. `got` has all content
// before it.
bool failed_at_unreadable(const UpstreamReading& reading, const observe::NormalisedAnswer& got) {
  const bool is_cut = end_of(reading.relayed->upstream) != observe::MessageEnd::complete;
  if (!is_cut || reading.expected.failure != observe::Failure::reported) return false;
  observe::NormalisedAnswer before = observe::side_of(reading.expected);
  for (auto& call : before.calls) call.arguments.clear();  // the last one may be incomplete
  return got.begins_as(before);
}

constexpr const char* kUpstreams = "the upstream's own stream violates it";

// Returns the length of the complete events at the start of both bodies.
std::size_t common_events(std::string_view upstream, std::string_view downstream) {
  const auto shorter = std::min(upstream.size(), downstream.size());
  const auto differ = std::mismatch(upstream.begin(), upstream.begin() + static_cast<std::ptrdiff_t>(shorter),
                                    downstream.begin());
  const auto same = static_cast<std::size_t>(differ.first - upstream.begin());
  std::size_t whole = 0;
  observe::for_each_frame(upstream.substr(0, same), framing_of_answer(upstream),
                          [&](const observe::SseEvent& event) {
                            if (event.terminated) whole = event.end;
                            return true;
                          });
  return whole;
}

}  // namespace

observe::Documents Judge::relayed_documents(const UpstreamReading& reading,
                                            observe::EventStream& stream) const {
  const observe::NormalisedAnswer& said = said_in(*reading.relayed);
  const bool complete = end_of(reading.relayed->upstream) == observe::MessageEnd::complete;
  observe::NormalisedAnswer got = relayed_side(*client_, stream);
  // If the upstream's stream ended by itself, a truncation counts even after the closing mark.
  if (complete && stream.message_end() == observe::MessageEnd::cut) got.error = true;
  if (gave_up(reading, got.error)) return {};
  observe::Documents documents = observe::documents_of_two(said, got);
  if (*documents.expected != *documents.got) {
    observe::Documents whole = observe::documents_of_two(completed_in(*reading.relayed), got);
    if (*whole.expected == *whole.got) return whole;
  }
  const bool both_fail = got.error && said.error;
  const bool early = both_fail && *documents.expected != *documents.got &&
                     (failed_early(judged(reading), got) || failed_at_unreadable(reading, got));
  return early ? observe::Documents() : documents;
}

// A relay may end a broken stream in an error, at any point, and one with several readings. So it may if the answer
// fails as a whole, although each of its events is legal: a call in pieces that never ends, for example.
bool Judge::gave_up(const UpstreamReading& reading, bool error) const {
  return reading.relayed && error && !said_in(*reading.relayed).error && !why_gave_up(reading).empty();
}

std::string Judge::why_gave_up(const UpstreamReading& reading) const {
  const std::string& broken = judged(reading).broken;
  std::string why;
  if (!broken.empty())
    why = "the upstream's own stream violates " + broken;
  else if (reading.expected.ambiguous)
    why = "the upstream's own stream has several readings";
  else if (reading.expected.failure)
    why = "the upstream's own answer fails";
  return why.empty() ? why : why + ", and the relayed stream ends in an error";
}

// True if direct clients read the upstream's stream as another message than the recorded one.
bool Judge::relays_another(const UpstreamReading& reading) const {
  const auto own = [this](const UpstreamReading& one) -> const observe::Answer& {
    UpstreamOwnViolations& relayed = *one.relayed;
    if (!relayed.message) {
      const std::string& body = relayed.upstream.body;
      observe::BodyStream stream(body, contracts_.data_kind(testee_.client), kWindow,
                                 end_of(relayed.upstream));
      relayed.message = message_of(body, stream);
    }
    return *relayed.message;
  };
  return !observe::describe_difference(own(reading), own(recorded_), {"here", "as recorded"}).empty();
}

void Judge::with_own_stream(const Upstream& upstream,
                            const std::function<void(observe::EventStream&)>& use) const {
  if (failed(upstream) && client_ != nullptr) {
    observe::Trace refusal = refusal_of(status_of(upstream, recording_), upstream.body.size());
    refusal.message_end = end_of(upstream);
    observe::TraceStream stream(refusal);
    use(stream);
  } else {
    observe::BodyStream stream(upstream.body, contracts_.data_kind(testee_.client), kWindow,
                               end_of(upstream));
    use(stream);
  }
}

observe::NormalisedAnswer Judge::own_side(const Upstream& upstream) const {
  observe::NormalisedAnswer side;
  with_own_stream(upstream, [&](observe::EventStream& stream) {
    if (client_ != nullptr) side = renamed(carries_.renaming, relayed_side(*client_, stream));
  });
  return side;
}

const observe::NormalisedAnswer& Judge::said_in(UpstreamOwnViolations& relayed) const {
  if (!relayed.said) relayed.said = own_side(relayed.upstream);
  return *relayed.said;
}

const observe::NormalisedAnswer& Judge::completed_in(UpstreamOwnViolations& relayed) const {
  if (!relayed.completed) {
    const auto whole = completed(relayed.upstream, contracts_.data_kind(testee_.client));
    relayed.completed = whole ? own_side(*whole) : said_in(relayed);
  }
  return *relayed.completed;
}

const UpstreamOwnViolations& Judge::judged(const UpstreamReading& reading) const {
  UpstreamOwnViolations& relayed = *reading.relayed;
  if (!std::exchange(relayed.judged, true)) judge_relayed(reading, relayed);
  return relayed;
}

void Judge::judge_relayed(const UpstreamReading& reading, UpstreamOwnViolations& relayed) const {
  const Upstream& upstream = relayed.upstream;
  std::set<std::size_t> broken_at;  // offsets of events that violate the protocol
  const auto add_violations = [&](observe::EventStream& stream) {
    for (Judged& one : judge_stream(reading, stream, nullptr)) {
      if (one.verdict != Verdict::violated) continue;
      const bool must = one.obligation->level == contract::Level::must;
      if (must && relayed.broken.empty()) relayed.broken = one.obligation->id;
      if (must && one.event) broken_at.insert(one.begin);
      relayed.violations.emplace(one.obligation->id, std::move(one.violation));
    }
  };
  with_own_stream(upstream, add_violations);
  relayed.whole = completed(upstream, contracts_.data_kind(testee_.client));
  if (relayed.whole) {
    with_own_stream(*relayed.whole, add_violations);
    // Only a blank line is missing: a testee that adds it may end its answer as complete.
    Upstream ended = *relayed.whole;
    ended.end = recording::End::complete;
    with_own_stream(ended, add_violations);
  }
  if (failed(upstream) && client_ != nullptr) return;
  const observe::DataKind kind = contracts_.data_kind(testee_.client);
  const auto before = [&](std::size_t at) {
    return observe::BodyStream(std::string_view(upstream.body).substr(0, at), kind, kWindow,
                               observe::MessageEnd::cut);
  };
  if (!broken_at.empty()) {
    // A testee that gives up there is not blamed for earlier content.
    const std::size_t first = *broken_at.begin();
    for (const std::size_t at : std::set{first, *broken_at.rbegin()}) {
      observe::BodyStream beginning = before(at);
      add_violations(beginning);
    }
    observe::BodyStream sound = before(first);
    if (client_ != nullptr && said_in(relayed).error)
      relayed.sound = renamed(carries_.renaming, client_->side(sound));
  }
  const bool ended_so =
      end_of(upstream) == observe::MessageEnd::complete && reading.size == upstream.body.size();
  if (!reading.size || ended_so) return;
  observe::BodyStream answer(std::string_view(upstream.body).substr(0, *reading.size), kind, kWindow,
                             observe::MessageEnd::complete);
  add_violations(answer);
}

void Judge::attribute_to_upstream(const UpstreamReading& reading, const testee::Observation& observation,
                                  observe::EventStream& stream, std::vector<Judged>& all) const {
  const bool failed = client_ != nullptr && client_->side(stream).error;
  for (Judged& one : all) {
    const auto [begin, end] = judged(reading).violations.equal_range(one.obligation->id);
    for (auto own = begin; own != end; ++own) {
      // For a failing stream, rules excuse some of this, and the testee may pass on only a part. Then they
      // find another violation.
      const bool same = failed && one.violation.slice == own->second.slice;
      attribute_to_client_or_upstream(one, same ? one.violation : own->second, kUpstreams);
    }
  }
  if (!failed) return;
  // They also excuse only the first violation, so a later one may be at an event that was passed on.
  const UpstreamOwnViolations& relayed = judged(reading);
  const Upstream& upstream = relayed.whole ? *relayed.whole : relayed.upstream;
  const std::size_t passed = common_events(upstream.body, observation.body);
  const auto at_passed = [&](const Judged& one) {
    return one.verdict == Verdict::violated && one.event && one.end <= passed;
  };
  if (std::none_of(all.begin(), all.end(), at_passed)) return;
  const std::string begun = observation.body.substr(0, passed) + client_->lone_error(kOfNobody);
  observe::BodyStream as_failed(begun, contracts_.data_kind(testee_.client), kWindow,
                                observe::MessageEnd::complete);
  const std::vector<Judged> own = judge_stream(reading, as_failed, nullptr);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (at_passed(own[i]) && own[i].begin == all[i].begin)
      attribute_to_client_or_upstream(all[i], own[i].violation, kUpstreams);
}

}  // namespace splitproof::campaign
