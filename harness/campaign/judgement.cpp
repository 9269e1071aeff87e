#include "harness/campaign/judgement.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/campaign/meta.hpp"
#include "harness/campaign/normal_form.hpp"
#include "harness/contract/json_value.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/evidence/transport_trace.hpp"
#include "harness/observe/expect.hpp"
#include "harness/observe/framing.hpp"
#include "harness/testee/client_request.hpp"

namespace splitproof::campaign {
namespace {

using contract::Judged;
using contract::Verdict;

constexpr int kFirstError = 400;             // of HTTP's statuses
constexpr std::size_t kShownOfTwo = 40;      // bytes of each of two bodies that differ
constexpr std::size_t kEvidenceBytes = 160;  // shown from where two bodies differ

// The event that holds byte `at`.
std::optional<std::size_t> event_at(const observe::Trace& trace, std::size_t at) {
  const auto found = std::find_if(trace.events.begin(), trace.events.end(),
                                  [&](const observe::Event& e) { return at < e.end; });
  if (found == trace.events.end()) return std::nullopt;
  return static_cast<std::size_t>(found - trace.events.begin());
}

Judged judged(std::string_view id, Verdict verdict) {
  Judged judged;
  judged.obligation = &meta_obligation(id);
  judged.verdict = verdict;
  return judged;
}

Judged not_exercised(std::string_view id, const char* reason) {
  Judged told = judged(id, Verdict::not_exercised);
  told.reason = reason;
  return told;
}

// Shows the bytes from `at` on.
Judged violated(std::string_view id, const observe::Trace& trace, std::size_t at, std::size_t size,
                std::string message) {
  Judged told = judged(id, Verdict::violated);
  told.begin = std::min(at, size);
  told.end = std::min(at + kEvidenceBytes, size);
  told.event = event_at(trace, at);
  told.found = message;
  told.identity = message;
  told.message = std::move(message);
  return told;
}

// What a client of the upstream itself would have seen: the answer of one that passes on every byte.
testee::Observation passed_on(const Upstream& upstream, const recording::Recording& recording) {
  testee::Observation seen;
  seen.body = upstream.body;
  seen.ending = upstream.end == recording::End::complete ? testee::Ending::complete : testee::Ending::cut;
  testee::HttpMessage message;
  message.status = upstream.status.value_or(recording.status);
  for (const auto& [name, value] : recording.headers) message.headers.push_back({name, value});
  message.chunked = true;
  message.final_chunks = upstream.end == recording::End::complete ? 1 : 0;
  testee::UpstreamCall call;
  call.status = message.status;
  seen.http = std::move(message);
  seen.calls.push_back(std::move(call));
  return seen;
}

// A refusal, by its status and before any stream, tells its client what a lone error would: `event` stands for all of
// the answer, whose own shape the rules of the transport judge.
observe::Trace lone_error(std::string_view event, std::size_t size) {
  observe::Trace trace = observe::read_trace(event, observe::DataKind::json);
  for (observe::Event& one : trace.events) {
    one.begin = 0;
    one.end = size;
  }
  return trace;
}

Judged unjudged(const contract::Obligation& obligation, std::string reason) {
  Judged told;
  told.obligation = &obligation;
  told.verdict = Verdict::not_judged;
  told.reason = std::move(reason);
  return told;
}

// A violation that the testee has from its upstream: the one that is in the upstream's own stream.
void absolve(Judged& judged, const std::string& upstreams, std::string reason) {
  if (judged.verdict != Verdict::violated || judged.identity != upstreams) return;
  judged.verdict = Verdict::passed_on;
  judged.reason = std::move(reason);
}

Judged not_judged(std::string_view id, std::string reason) {
  return unjudged(meta_obligation(id), std::move(reason));
}

std::string no_reader(const testee::Testee& testee) {
  return "there is no reader for " + testee.client() + " downstream";
}

// Of two messages of one recording that differ: which of them is not what the upstream says, as far as that is known.
std::string side_that_is_wrong(std::optional<bool> here, std::optional<bool> known, const std::string& cut) {
  if (!here || !known) return "";
  if (*here) return "; what is said here is what the upstream says, and " + cut + " it is not";
  return *known ? "; " + cut + " it is what the upstream says" : "; neither is what the upstream says";
}

std::string kind_of(const Standing& standing) {
  return standing.no_stream.empty() ? "an event stream" : standing.no_stream;
}

// What keeps an answer from being compared with the one that all are held against, or sets them apart before a byte is
// looked at; none: they are to be compared.
std::optional<Judged> set_apart(std::string_view id, const Standing& first, const Standing& here,
                                const observe::Trace& trace, std::size_t size) {
  if (!here.unjudged.empty()) return not_judged(id, here.unjudged);
  if (!first.unjudged.empty()) return not_judged(id, "of the answer as it arrived: " + first.unjudged);
  if (first.no_stream.empty() != here.no_stream.empty()) {
    return violated(id, trace, 0, size,
                    "as it arrived the answer is " + kind_of(first) + ", and here " + kind_of(here));
  }
  if (!here.no_stream.empty()) return not_judged(id, "the answer is no stream but " + here.no_stream);
  return std::nullopt;
}

Judged at_once(const Punctuality& punctuality, const Standing& standing, const observe::Trace& trace,
               std::size_t size) {
  if (!standing.unjudged.empty()) return not_judged(kAtOnce, standing.unjudged);
  if (!standing.no_stream.empty())
    return not_judged(kAtOnce, "the answer is no stream but " + standing.no_stream);
  if (!punctuality.due) return not_exercised(kAtOnce, "nothing that it says was due before its end");
  if (!punctuality.unseen.empty()) return not_judged(kAtOnce, punctuality.unseen);
  const std::optional<Late>& late = punctuality.late;
  if (!late) return judged(kAtOnce, Verdict::met);
  return violated(kAtOnce, trace, late->said, size,
                  "when the upstream's first " + std::to_string(late->upstream) +
                      " bytes had been read, the first " + std::to_string(late->due) +
                      " bytes downstream were due, and " + std::to_string(late->said) + " were out");
}

// "; by then 212 bytes had come, the last whole event being event 2 (ping, line 4)"
std::string what_had_come(const observe::Trace& trace, std::size_t size) {
  if (size == 0) return "; by then nothing of the answer's body had come";
  const std::string bytes =
      "; by then " + std::to_string(size) + (size == 1 ? " byte" : " bytes") + " had come, ";
  const auto last = std::find_if(trace.events.rbegin(), trace.events.rend(), [](const observe::Event& event) {
    return event.fault != observe::Fault::unterminated_event;
  });
  if (last == trace.events.rend()) return bytes + "and no whole event";
  const auto number = static_cast<std::size_t>(trace.events.rend() - last) - 1;
  return bytes + "the last whole event being event " + std::to_string(number) + " (" +
         (last->event.value_or("").empty() ? "" : *last->event + ", ") + "line " +
         std::to_string(last->line) + ")";
}

Judged run_judged(std::string_view id, const Standing& standing, const observe::Trace& trace,
                  std::size_t size) {
  if (standing.broke == id) {
    std::string what = standing.detail.empty() ? standing.unjudged : standing.detail;
    if (id == kHung) what += what_had_come(trace, size);
    return violated(id, trace, size, size, std::move(what));
  }
  return standing.ran ? judged(id, Verdict::met) : not_judged(id, standing.unjudged);
}

// All of a reading that judgement depends on, times aside, in one string.
std::string fingerprint(const Reading& reading, recording::End end) {
  std::string text;
  const auto add = [&](std::string_view field) {
    text.append(std::to_string(field.size())).append(":").append(field);
  };
  const auto add_count = [&](const std::optional<std::uint64_t>& count) {
    add(count ? std::to_string(*count) : "-");
  };
  const observe::Answer& said = reading.meaning;
  add(recording::name(end));
  add(said.model);
  add(said.begins_with_text ? "text first" : "");
  for (const observe::Part& part : said.parts) {
    for (const std::string& field : {part.text, part.signature, part.id, part.name, part.arguments})
      add(field);
    add(std::to_string(static_cast<int>(part.kind)) + " " + std::to_string(part.rank));
  }
  for (const std::size_t number : said.begun) add(std::to_string(number));
  add(said.finish ? said.finish->word : "-");
  add(said.done ? "done" : "");
  add(said.error ? "!" + *said.error : "");
  for (const auto& count : {said.usage.prompt, said.usage.cached, said.usage.completion}) add_count(count);
  for (const std::string& shape : said.shapes) add(shape);
  if (reading.as_arrived) {
    add(reading.as_arrived->bytes);
    add(reading.as_arrived->standing.unjudged);
    add(reading.as_arrived->standing.no_stream);
  }
  return text;
}

}  // namespace

split::Subject subject_of(const recording::Recording& recording) {
  std::vector<std::size_t> arrivals;
  for (const recording::Arrival& arrival : recording.arrivals) arrivals.push_back(arrival.end);
  return split::survey(recording.body, arrivals, dialect::format_of(recording.protocol));
}

Reading read_upstream(const Upstream& upstream, std::string_view protocol, const observe::Choices& choices) {
  Reading reading;
  const dialect::Upstream* spoken = dialect::upstream_of(protocol);
  if (spoken == nullptr) {
    reading.unread = "there is no reader for an upstream of " + std::string(protocol);
    reading.digest = digest_of(fingerprint(reading, upstream.end));
    return reading;
  }
  observe::FrameReader frames(spoken->format().framing);
  frames.feed(upstream.body);
  frames.finish();
  const auto answer = spoken->reader(choices);
  observe::DueCount due(choices);
  for (const observe::SseEvent& event : frames.events()) {
    answer->take(event);
    const observe::Answer& said = answer->so_far();
    if (event.terminated) reading.milestones.push_back({event.end, due.after(said), said.done || said.error});
  }
  answer->take_plain_body(upstream.body);
  reading.meaning = answer->finished();
  reading.expected = observe::expected_of(reading.meaning, upstream.end, choices);
  reading.digest = digest_of(fingerprint(reading, upstream.end));
  return reading;
}

Judge::Judge(const contract::Contracts& contracts, const contract::Profile& profile,
             const testee::Testee& testee, const recording::Recording& recording)
    : contracts_(contracts),
      profile_(profile),
      testee_(testee),
      recording_(recording),
      client_(dialect::client_of(testee.client())),
      choices_(observe::choices_of(profile.knobs)),
      request_(testee::request_document(testee.client(), recording)) {
  const Upstream upstream{recording.body, subject_of(recording).arrivals, recording.end};
  passes_no_stream_ = testee.client() == recording.protocol &&
                      !standing_of(passed_on(upstream, recording), testee, upstream).no_stream.empty();
  Reading reading = read_body(upstream, false);
  (void)observe::apply_expect(recording_, profile_.name, reading.expected);
  meaning_ = reading.meaning;
  held_.push_back({upstream, testee.observe(exchange_of(upstream, recording))});
  if (held_[0].seen.ending == testee::Ending::unavailable) unavailable_ = held_[0].seen.detail;
  as_recorded_ = standing_of(held_[0].seen, testee, upstream);
  known_ = version_of("as recorded", reading, upstream, held_[0].seen);
  if (known_.sound.value_or(true) || upstream.cuts.empty()) return;
  const Upstream whole{recording.body, {}, recording.end};
  Held uncut{whole, testee.observe(exchange_of(whole, recording))};
  Version version = version_of("in one piece", reading, whole, uncut.seen);
  held_.push_back(std::move(uncut));
  if (version.sound.value_or(false)) known_ = std::move(version);
}

Judge::Version Judge::version_of(std::string cut, const Reading& reading, const Upstream& upstream,
                                 const testee::Observation& seen) const {
  const observe::Trace trace = trace_of(seen);
  Version version{std::move(cut), standing_of(seen, testee_, upstream), message_of(seen.body, trace), {}};
  if (version.standing.unjudged.empty() && version.standing.no_stream.empty())
    version.sound = is_sound(reading, trace);
  return version;
}

observe::Documents Judge::documents_of(const Reading& reading, const observe::Trace& trace) const {
  if (client_ == nullptr) return {};
  if (reading.relayed)
    return observe::documents_of_two(client_->side(*reading.relayed), client_->side(trace));
  if (!reading.unread.empty() || !client_->compares_translated()) return {};
  return observe::documents(reading.expected, client_->side(trace));
}

std::optional<bool> Judge::is_sound(const Reading& reading, const observe::Trace& trace) const {
  const observe::Documents documents = documents_of(reading, trace);
  if (documents.expected == nullptr || documents.got == nullptr) return std::nullopt;
  return *documents.expected == *documents.got;
}

Reading Judge::read_body(const Upstream& as_arrived, bool broken) const {
  Reading reading = read_upstream(as_arrived, recording_.protocol, choices_);
  reading.broken = broken;
  if (recording_.protocol != testee_.client()) return reading;
  if (as_arrived.status.value_or(recording_.status) >= kFirstError && client_ != nullptr) {
    reading.relayed = lone_error(client_->lone_error(), as_arrived.body.size());
  } else {
    reading.relayed = observe::read_trace(as_arrived.body, contracts_.data_kind(testee_.client()));
  }
  if (as_arrived.end != recording::End::complete) reading.relayed->message_end = observe::MessageEnd::cut;
  // It may pass on what comes behind the end, so that what is over for a translator is not over for it.
  if (client_ != nullptr) reading.milestones = milestones_heard(as_arrived.body, *client_, choices_);
  reading.passed_on = violations_of(reading, *reading.relayed);
  return reading;
}

Reading Judge::read(const Upstream& as_arrived, bool broken) const {
  Reading reading = read_body(as_arrived, broken);
  if (broken) return reading;
  // What a recording demands of itself was asked for when it was loaded; of broken bytes it says nothing.
  (void)observe::apply_expect(recording_, profile_.name, reading.expected);
  if (as_recorded_.broke == kHung && as_arrived.body == recording_.body) {
    reading.as_arrived =
        Arrived{as_recorded_, {}};  // once more, it would cost the testee's whole timeout again
  } else {
    const testee::Observation seen = testee_.observe(exchange_of(as_arrived, recording_));
    reading.as_arrived = Arrived{standing_of(seen, testee_, as_arrived), comparable(seen.body)};
  }
  reading.digest = digest_of(fingerprint(reading, as_arrived.end));
  return reading;
}

testee::Exchange Judge::exchange(const Reading& reading, const Upstream& upstream) const {
  testee::Exchange exchange = exchange_of(upstream, recording_);
  if (upstream.withheld && testee_.over_http() && client_ != nullptr)
    exchange.holds = holds_of(reading.milestones, *client_, choices_);
  return exchange;
}

observe::Trace Judge::trace_of(const testee::Observation& observation) const {
  observe::Trace trace = observe::read_trace(observation.body, contracts_.data_kind(testee_.client()));
  if (observation.ending == testee::Ending::cut) trace.message_end = observe::MessageEnd::cut;
  return trace;
}

Deadlines Judge::deadlines_of(const Reading& reading, std::string_view body) const {
  return client_ != nullptr ? Deadlines(reading.milestones, body, *client_, choices_) : Deadlines();
}

Punctuality Judge::punctuality(const Deadlines& deadlines, const Upstream& upstream,
                               const testee::Observation& observation) const {
  if (client_ == nullptr) return {no_reader(testee_), true, {}};
  Punctuality found;
  found.due = deadlines.any();
  if (!observation.after_chunk.empty()) {
    found.late = deadlines.first_late(upstream.cuts, upstream.body.size(), observation.after_chunk);
  } else if (!testee_.over_http()) {
    found.unseen = "this target does not show what was out when";
  } else if (!upstream.withheld) {
    found.unseen = "over HTTP it is judged with gen=withheld";
  } else {
    found.late = deadlines.first_unmet(observation.releases);
  }
  return found;
}

const dialect::ChosenFields& Judge::chosen() const {
  static const dialect::ChosenFields kNone;
  return client_ != nullptr ? client_->chosen() : kNone;
}

std::string Judge::comparable(std::string_view body) const {
  if (!testee_.outside()) return std::string(body);
  return normal_form(body, chosen(), KeepAlives::left_out).bytes;
}

Digest Judge::likeness(std::string_view body, const Upstream& upstream) const {
  if (!testee_.outside()) return digest_of(body);
  NormalForm form = normal_form(body, chosen(), KeepAlives::kept);
  for (const std::string& id : form.ids)
    if (upstream.body.find(id) != std::string::npos) form.bytes += id;
  return digest_of(form.bytes);
}

observe::Answer Judge::message_of(std::string_view body, const observe::Trace& trace) const {
  if (client_ == nullptr) return {};
  if (!testee_.outside()) return client_->assemble(trace);
  // Ids that it chose may stand where a message keeps what it does not know.
  const std::string normal = comparable(body);
  observe::Trace of_normal = observe::read_trace(normal, contracts_.data_kind(testee_.client()));
  of_normal.message_end = trace.message_end;
  return observe::canonical_form(client_->assemble(of_normal));
}

std::vector<Judged> Judge::judge_stream(const Reading& reading, const observe::Trace& trace,
                                        const nlohmann::json* response) const {
  const observe::Documents documents = documents_of(reading, trace);
  contract::Evidence evidence;
  evidence.expected = documents.expected.get();
  evidence.got = documents.got.get();
  evidence.request = request_.get();
  evidence.response = response;
  evidence.unread = reading.unread;
  evidence.features = reading.expected.shapes;
  // They were named of the whole body: what a fault left of it may have none of them.
  if (!reading.broken) evidence.features.insert(recording_.features.begin(), recording_.features.end());
  return contract::judge(contracts_, testee_.client(), profile_, trace, evidence);
}

std::map<std::string, std::string> Judge::violations_of(const Reading& reading,
                                                        const observe::Trace& trace) const {
  std::map<std::string, std::string> violations;
  for (const Judged& one : judge_stream(reading, trace, nullptr))
    if (one.verdict == Verdict::violated) violations[one.obligation->id] = one.identity;
  return violations;
}

Judged Judge::same_bytes(const Reading& reading, std::string_view body, const Standing& standing,
                         const observe::Trace& trace) const {
  if (!reading.as_arrived)
    return not_exercised(kSameBytes, "an upstream with a fault is cut in one way only");
  const Arrived& first = *reading.as_arrived;
  if (auto apart = set_apart(kSameBytes, first.standing, standing, trace, body.size())) return *apart;
  const std::string here = comparable(body);
  if (here == first.bytes) return judged(kSameBytes, Verdict::met);
  const auto differ = std::mismatch(here.begin(), here.end(), first.bytes.begin(), first.bytes.end());
  auto at = static_cast<std::size_t>(differ.first - here.begin());
  if (testee_.outside()) at = normal_form(body, chosen(), KeepAlives::left_out).original(at);
  const auto shown = [](std::string::const_iterator from, const std::string& of) {
    return contract::excerpt(std::string_view(of).substr(from - of.begin(), kShownOfTwo));
  };
  return violated(kSameBytes, trace, at, body.size(),
                  "from byte " + std::to_string(at) + " on the output is " + shown(differ.first, here) +
                      ", and " + shown(differ.second, first.bytes) + " of the body as it arrived");
}

Judged Judge::same_meaning(const Reading& reading, std::string_view body, const Standing& standing,
                           const observe::Trace& trace) const {
  if (!reading.as_arrived) return not_exercised(kSameMeaning, "an upstream with a fault says something else");
  if (auto apart = set_apart(kSameMeaning, known_.standing, standing, trace, body.size())) return *apart;
  if (client_ == nullptr) return not_judged(kSameMeaning, no_reader(testee_));
  const observe::Answer here = message_of(body, trace);
  const std::string difference = describe_difference(here, known_.message, {"here", known_.cut});
  if (difference.empty()) return judged(kSameMeaning, Verdict::met);
  return violated(kSameMeaning, trace, body.size(), body.size(),
                  difference + side_that_is_wrong(is_sound(reading, trace), known_.sound, known_.cut));
}

std::vector<Judged> Judge::judge(const Reading& reading, const testee::Observation& observation,
                                 const Standing& standing, const Punctuality& punctuality) const {
  const std::string& body = observation.body;
  const observe::Trace trace = trace_of(observation);
  std::vector<Judged> all;
  if (standing.unjudged.empty() && standing.no_stream.empty()) {
    all = judge_stream(reading, trace, evidence::response_document(observation).get());
    for (Judged& one : all)
      if (const auto own = reading.passed_on.find(one.obligation->id); own != reading.passed_on.end())
        absolve(one, own->second, "the upstream's own stream violates it");
  } else if (standing.refused && client_ != nullptr) {
    all = judge_stream(reading, lone_error(client_->lone_error(), body.size()),
                       evidence::response_document(observation).get());
  } else {
    const std::string reason =
        standing.unjudged.empty() ? "the answer is no stream but " + standing.no_stream : standing.unjudged;
    all = judge_stream(reading, {}, nullptr);
    for (Judged& one : all) one = unjudged(*one.obligation, reason);
  }
  all.push_back(same_bytes(reading, body, standing, trace));
  all.push_back(same_meaning(reading, body, standing, trace));
  const bool times_unread = !reading.unread.empty() && !reading.relayed;
  all.push_back(times_unread         ? not_judged(kAtOnce, reading.unread)
                : reading.as_arrived ? at_once(punctuality, standing, trace, body.size())
                                     : not_exercised(kAtOnce, "told by the same upstream without its fault"));
  if (testee_.outside()) {
    for (const std::string_view id : {kCrashed, kHung, kGarbage})
      all.push_back(run_judged(id, standing, trace, body.size()));
  }
  return all;
}

std::vector<Judged> Judge::judge_transport(const Upstream& upstream,
                                           const testee::Observation& observation) const {
  if (!testee_.over_http()) return {};
  std::vector<Judged> all = transport_rules(upstream, observation);
  const Standing standing = standing_of(observation, testee_, upstream);
  if (!standing.ran) {
    for (Judged& one : all) one = unjudged(*one.obligation, standing.unjudged);
    return all;  // what was seen of an answer until the client left can be judged
  }
  const bool clean = std::none_of(all.begin(), all.end(),
                                  [](const Judged& one) { return one.verdict == Verdict::violated; });
  if (clean || testee_.client() != testee_.upstream()) return all;
  const std::vector<Judged> upstreams_own = transport_rules(upstream, passed_on(upstream, recording_));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (upstreams_own[i].verdict == Verdict::violated)
      absolve(all[i], upstreams_own[i].identity, "the upstream's own answer violates it");
  }
  return all;
}

std::vector<Judged> Judge::transport_rules(const Upstream& upstream,
                                           const testee::Observation& observation) const {
  const testee::Exchange exchange = exchange_of(upstream, recording_);
  const auto response = evidence::response_document(observation);
  contract::Evidence known;
  known.request = request_.get();
  known.response = response.get();
  known.features.insert(recording_.features.begin(), recording_.features.end());
  return contract::judge(contracts_, contract::kTransport, profile_,
                         evidence::transport_trace(testee_.client(), exchange, observation), known);
}

std::vector<Judged> Judge::judge(const Reading& reading, const Upstream& upstream,
                                 const testee::Observation& observation) const {
  std::vector<Judged> all =
      judge(reading, observation, standing_of(observation, testee_, upstream),
            punctuality(deadlines_of(reading, observation.body), upstream, observation));
  for (Judged& one : judge_transport(upstream, observation)) all.push_back(std::move(one));
  return all;
}

}  // namespace splitproof::campaign
