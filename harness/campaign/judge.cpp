#include "harness/campaign/judge.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/campaign/client_demand.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/campaign/normal_form.hpp"
#include "harness/campaign/refusal.hpp"
#include "harness/contract/contract_file.hpp"
#include "harness/dialect/capabilities_of_client.hpp"
#include "harness/evidence/answer_trace.hpp"
#include "harness/evidence/reader_trace.hpp"
#include "harness/evidence/transport_trace.hpp"
#include "harness/observe/answer_shapes.hpp"
#include "harness/observe/expect.hpp"
#include "harness/testee/client_request.hpp"

namespace splitproof::campaign {
namespace {

using contract::Judged;
using contract::Verdict;

observe::MessageEnd end_of(const testee::Observation& observation) {
  return observation.ending == testee::Ending::cut ? observe::MessageEnd::cut : observe::MessageEnd::complete;
}

observe::ClientCapabilities carries_of(const testee::Traits& testee, const recording::Recording& recording,
                                       const nlohmann::json* request,
                                       const std::map<std::string, observe::LossPolicy>& losses,
                                       const observe::NameMap* names) {
  observe::ClientCapabilities carries = dialect::capabilities_of_client(testee.client, request, names);
  carries.model = testee.model.empty() ? testee::model_asked(testee.client, recording) : testee.model;
  carries.losses = losses;
  return carries;
}

// Returns one entry for each obligation for clients of a protocol.
std::vector<Judged> none_judged(const contract::Contracts& contracts, std::string_view protocol,
                                const std::string& reason) {
  std::vector<Judged> all;
  for (const contract::ContractFile* file : contracts.files_for(protocol))
    for (const contract::CompiledObligation& one : file->obligations)
      all.push_back(contract::not_judged(one.about, reason));
  return all;
}

std::vector<Judged> none_exercised(std::vector<Judged> all) {
  for (Judged& one : all) one.verdict = Verdict::not_exercised;
  return all;
}

std::string no_reader(const testee::Traits& testee) {
  return "splitproof cannot read " + testee.client + " downstream";
}

}  // namespace

Judge::Judge(const contract::Contracts& contracts, const contract::Profile& profile, testee::Traits testee,
             const recording::Recording& recording, std::shared_ptr<const observe::Answer> answered,
             std::shared_ptr<const StreamedCounterpart> streamed)
    : contracts_(contracts),
      profile_(profile),
      testee_(std::move(testee)),
      recording_(recording),
      client_(dialect::client_of(testee_.client)),
      choices_(observe::choices_of(profile.knobs)),
      request_(testee::request_document(testee_.client, recording)),
      carries_(carries_of(testee_, recording, request_.get(),
                          contracts_.losses(recording.protocol, testee_.client),
                          observe::named_map(profile.knobs, contracts_.name_maps()))),
      transport_(contracts_, profile_, testee_, recording_, request_.get()),
      asked_(contracts_, profile_, testee_, recording_, std::move(answered)),
      streamed_(std::move(streamed)),
      upstream_(as_recorded(recording)),
      recorded_(read_body(upstream_, Alteration::none)) {
  if (recorded_.demanded_answer)
    asked_.follows(std::make_shared<const observe::Answer>(recorded_.meaning),
                   recorded_.demanded_answer->unjudged);
}

bool Judge::passes_no_stream() const {
  return testee_.client == recording_.protocol &&
         !judgeability_of(passed_on(upstream_, recording_), testee_, upstream_).no_stream.empty();
}

KnownMessage Judge::known_message(std::string cut, const Upstream& upstream,
                                  const testee::Observation& seen) const {
  observe::BodyStream stream = stream_of(seen);
  KnownMessage known{
      std::move(cut), judgeability_of(seen, testee_, upstream), message_of(seen.body, stream), {}};
  if (known.judgeability.unjudged.empty() && known.judgeability.no_stream.empty())
    known.sound = is_sound(recorded_, stream);
  return known;
}

Baseline Judge::baseline(const KnownMessage& recorded, const Upstream& as_arrived,
                         const testee::Observation& seen) const {
  Baseline baseline{
      &recorded, EventwiseOutput{judgeability_of(seen, testee_, as_arrived), comparable(seen.body)}, {}};
  const EventwiseOutput& arrived = *baseline.arrived;
  baseline.digest =
      digest_of(arrived.bytes + "\n" + arrived.judgeability.unjudged + "\n" + arrived.judgeability.no_stream);
  return baseline;
}

observe::Documents Judge::documents_of(const UpstreamReading& reading, observe::EventStream& stream) const {
  if (client_ == nullptr || (reading.edited && !reading.unread.empty())) return {};
  if (reading.relayed) return relayed_documents(reading, stream);
  if (!reading.unread.empty()) return {};
  return observe::documents(reading.expected, client_->side(stream));
}

std::optional<bool> Judge::is_sound(const UpstreamReading& reading, observe::EventStream& stream) const {
  const observe::Documents documents = documents_of(reading, stream);
  if (documents.expected == nullptr || documents.got == nullptr) return std::nullopt;
  // The form of arguments is advice.
  const auto read = [](nlohmann::json side) {
    side.erase("written");
    return side;
  };
  return read(*documents.expected) == read(*documents.got);
}

bool Judge::failed(const Upstream& upstream) const {
  constexpr int kFirstError = 400;  // of HTTP's statuses
  return status_of(upstream, recording_) >= kFirstError;
}

// A refusal by status is equivalent to a lone error for the client. That represents the whole answer;
// transport rules judge its form.
observe::Trace Judge::refusal_of(int status, std::size_t size) const {
  observe::Trace trace =
      observe::read_trace(client_->lone_error(status), contracts_.data_kind(testee_.client));
  for (observe::Event& one : trace.events) {
    one.begin = 0;
    one.end = size;
  }
  return trace;
}

UpstreamReading Judge::read_body(const Upstream& as_arrived, Alteration alteration) const {
  const bool broken = alteration == Alteration::broken;
  std::vector<Milestone> milestones;
  const bool relayed = recording_.protocol == testee_.client;
  // A relay may pass on content after the end, so the answer is not over for it.
  const bool heard = relayed && client_ != nullptr;
  // A broken body has no deadlines.
  UpstreamReading reading = read_upstream(as_arrived, recording_.protocol, choices_, carries_,
                                          heard || broken ? nullptr : &milestones);
  if (heard && !broken) milestones = milestones_heard(as_arrived.body, *client_, choices_);
  // A relay may choose the byte length of renamed arguments.
  if (heard && carries_.renaming.any())
    for (Milestone& one : milestones) one.due.arguments = 0;
  reading.milestones = std::move(milestones);
  reading.broken = broken;
  reading.edited = alteration == Alteration::edited;
  if (relayed) reading.relayed = std::make_shared<UpstreamOwnViolations>(as_arrived);
  // The recording's expectations were checked when it was loaded. They do not apply to broken bytes, or to a
  // model's claimed identity if the testee requests another model.
  const bool of_another = choices_.rewrites_identity && !testee_.model.empty() &&
                          testee_.model != testee::model_asked(testee_.client, recording_);
  if (alteration == Alteration::none && !of_another)
    (void)observe::apply_expect(recording_, profile_.name, reading.expected, carries_);
  if (testee_.reads_events())
    reading.demanded = std::make_shared<const std::vector<observe::DemandedEvent>>(
        observe::demanded_events(as_arrived.body));
  if (testee_.reads_answer()) {
    const observe::DemandedAnswer* whole = broken ? recorded_.demanded_answer.get() : nullptr;
    reading.demanded_answer = std::make_shared<const observe::DemandedAnswer>(
        demand_of(contracts_, profile_, recording_.protocol, choices_, reading, as_arrived,
                  status_of(as_arrived, recording_), whole));
  }
  if (failed(as_arrived)) reading.expected.shapes.insert(std::string(observe::kStatusError));
  if (reading.edited && reading.unread.empty()) reading.unread = doubt_about(reading, as_arrived);
  if (reading.edited && !reading.unread.empty()) reading.milestones.clear();
  reading.digest = digest_of(reading, as_arrived.end);
  return reading;
}

// Returns the `must` rules of its own protocol that an upstream's stream violates.
std::set<std::string> Judge::own_violations(const Upstream& upstream) const {
  const std::string& protocol = recording_.protocol;
  observe::BodyStream stream(upstream.body, contracts_.data_kind(protocol), kWindow,
                             campaign::end_of(upstream));
  std::set<std::string> violated;
  for (const Judged& one : contract::judge(contracts_, protocol, profile_, stream, {}))
    if (one.verdict == Verdict::violated && one.obligation->level == contract::Level::must)
      violated.insert(one.obligation->id);
  return violated;
}

// Returns why the meaning of an edited stream is not certain, or "". It is certain if the stream is as regular as the
// recorded one.
std::string Judge::doubt_about(const UpstreamReading& edited, const Upstream& upstream) const {
  if (recording_.expect) return "the recording's expectation is about the stream before the edits";
  if (edited.meaning.error && !recorded_.meaning.error) return "the edits make the upstream's stream invalid";
  if (edited.expected.failure && !recorded_.expected.failure)
    return "the edits make the upstream's answer incomplete";
  for (const auto* shapes : {&edited.meaning.shapes, &edited.expected.shapes}) {
    for (const std::string& shape : *shapes)
      if (!recorded_.meaning.shapes.contains(shape) && !recorded_.expected.shapes.contains(shape))
        return "the edits make the upstream's stream irregular: " + shape;
  }
  const std::set<std::string> known = own_violations(upstream_);
  for (const std::string& rule : own_violations(upstream))
    if (!known.contains(rule)) return "after the edits the upstream's stream violates " + rule;
  return {};
}

UpstreamReading Judge::read(const Upstream& as_arrived, Alteration alteration) const {
  const bool is_recorded = alteration == Alteration::none && as_arrived == upstream_;
  return is_recorded ? recorded_ : read_body(as_arrived, alteration);
}

testee::Exchange Judge::exchange(const UpstreamReading& reading, const Upstream& upstream) const {
  testee::Exchange exchange = exchange_of(upstream, recording_);
  if (streamed_) exchange.in_one_piece = streamed_->whole;
  if (upstream.withheld && reading.demanded_answer) exchange.holds = holds_of(*reading.demanded_answer);
  if (upstream.withheld && testee_.over_http && client_ != nullptr)
    exchange.holds = holds_of(reading.milestones, *client_, choices_);
  return exchange;
}

observe::Trace Judge::trace_of(const testee::Observation& observation) const {
  if (testee_.is_client()) return observe::report_trace(observation.body);
  observe::Trace trace = observe::read_trace(observation.body, contracts_.data_kind(testee_.client));
  trace.message_end = end_of(observation);
  return trace;
}

observe::BodyStream Judge::stream_of(const testee::Observation& observation) const {
  return {observation.body, contracts_.data_kind(testee_.client), kWindow, end_of(observation)};
}

Deadlines Judge::deadlines_of(const UpstreamReading& reading, std::string_view body) const {
  return client_ != nullptr ? Deadlines(reading.milestones, body, *client_, choices_) : Deadlines();
}

Timeliness Judge::timeliness(const Deadlines& deadlines, const Upstream& upstream,
                             const testee::Observation& observation) const {
  if (client_ == nullptr) return {no_reader(testee_), true, {}};
  Timeliness found;
  found.due = deadlines.any();
  if (choices_.takes_text_out() && testee_.client == recording_.protocol) {
    found.unseen =
        "the profile removes text from answers, and splitproof does not follow this in a relayed "
        "stream";
  } else if (!observation.after_chunk.empty()) {
    found.late = deadlines.first_late(upstream.cuts, upstream.body.size(), observation.after_chunk);
  } else if (!testee_.over_http) {
    found.unseen = "this target does not show when its output was written";
  } else if (!upstream.withheld) {
    found.unseen = "for targets over HTTP only cases with gen=withheld show this";
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
  if (testee_.reads_answer()) return std::string(observe::answer_line(body));
  if (!testee_.outside || testee_.reads_events()) return std::string(body);
  return normal_form(body, chosen(), KeepAlives::left_out).bytes;
}

Digest Judge::dedup_key(std::string_view body, const Upstream& upstream) const {
  if (testee_.reads_answer()) return digest_of(observe::answer_line(body));
  if (!testee_.outside || testee_.reads_events()) return digest_of(body);
  NormalForm form = normal_form(body, chosen(), KeepAlives::kept);
  for (const std::string& id : form.ids)
    if (upstream.body.find(id) != std::string::npos) form.bytes += id;
  return digest_of(form.bytes);
}

observe::Answer Judge::message_of(std::string_view body, observe::EventStream& stream) const {
  if (client_ == nullptr) return {};
  if (!testee_.outside) return client_->assemble(stream);
  // Unknown fields of a message may contain ids that the testee chose.
  const std::string normal = comparable(body);
  observe::BodyStream of_normal(normal, contracts_.data_kind(testee_.client), kWindow, stream.message_end());
  return observe::canonical_form(client_->assemble(of_normal));
}

std::vector<Judged> Judge::judge_stream(const UpstreamReading& reading, observe::EventStream& stream,
                                        const nlohmann::json* response) const {
  const observe::Documents documents = documents_of(reading, stream);
  contract::Context evidence;
  evidence.expected = documents.expected.get();
  evidence.got = documents.got.get();
  evidence.words = documents.words.get();
  evidence.request = request_.get();
  evidence.response = response;
  evidence.unread = reading.unread;
  if (reading.relayed && documents.expected == nullptr) evidence.unread = why_gave_up(reading);
  evidence.features = reading.expected.shapes;
  if (reading.relayed) evidence.features.insert(std::string(observe::kRelayed));
  // Features describe the recorded body.
  if (!reading.broken && !reading.edited)
    evidence.features.insert(recording_.features.begin(), recording_.features.end());
  return contract::judge(contracts_, testee_.client, profile_, stream, evidence);
}

std::vector<Judged> Judge::judge_contracts(const UpstreamReading& reading, const Judgeability& judgeability,
                                           observe::EventStream& stream,
                                           const testee::Observation& observation) const {
  // Its answer is one word of the harness.
  if (asked_.is_of_second_turn())
    return none_exercised(none_judged(contracts_, testee_.client, "the answer of a second turn"));
  const auto response = evidence::response_document(observation);
  if (judgeability.unjudged.empty() && judgeability.no_stream.empty()) {
    const bool unchanged = reading.relayed && observation.body == reading.relayed->upstream.body &&
                           end_of(observation) == end_of(reading.relayed->upstream);
    if (unchanged && (reading.broken || reading.edited) && response == nullptr) {
      // Nothing in it is the relay's, and most damaged bytes leave as they came.
      return none_exercised(none_judged(contracts_, testee_.client, "the relayed stream is unchanged"));
    }
    std::vector<Judged> all = judge_stream(reading, stream, response.get());
    const bool clean = std::none_of(all.begin(), all.end(),
                                    [](const Judged& one) { return one.verdict == Verdict::violated; });
    if (clean || !reading.relayed) return all;
    attribute_to_upstream(reading, observation, stream, all);
    return all;
  }
  if (judgeability.refused && client_ != nullptr) {
    const observe::Trace refusal = refusal_of(refused_status(observation), observation.body.size());
    observe::TraceStream of_refusal(refusal);
    return judge_stream(reading, of_refusal, response.get());
  }
  const std::string reason = judgeability.unjudged.empty()
                                 ? "the answer is not a stream but " + judgeability.no_stream
                                 : judgeability.unjudged;
  std::vector<Judged> all = none_judged(contracts_, testee_.client, reason);
  return asked_.refuses(observation) ? none_exercised(std::move(all)) : all;
}

std::vector<Judged> Judge::judge(const UpstreamReading& reading, const Baseline& baseline,
                                 const testee::Observation& observation, const Judgeability& judgeability,
                                 const Timeliness& timeliness) const {
  const std::string& body = observation.body;
  observe::BodyStream stream = stream_of(observation);
  const ResponseUnderTest answer{judgeability, body, stream};
  const auto with_run = [&](std::vector<Judged> all) {
    for (const std::string_view id : {kCrashed, kHung, kGarbage}) all.push_back(judge_run(id, answer));
    return all;
  };
  if (streamed_) {
    const observe::DataKind kind = contracts_.data_kind(testee_.client);
    return with_run({judge_whole(*streamed_, observation, judgeability, testee_, kind)});
  }
  if (testee_.reads_events()) return with_run(judge_reader(baseline, answer));
  if (testee_.reads_answer()) return with_run({});
  std::vector<Judged> all = judge_contracts(reading, judgeability, stream, observation);

  const auto original = [&](std::size_t at) {
    return testee_.outside ? normal_form(body, chosen(), KeepAlives::left_out).original(at) : at;
  };
  all.push_back(judge_bytes(answer, baseline, baseline.arrived ? comparable(body) : "", original));
  if (!baseline.arrived) {
    all.push_back(meta_not_exercised(kSameMeaning, "an upstream with a fault has another meaning"));
  } else if (reading.edited) {
    all.push_back(meta_not_exercised(kSameMeaning, "an upstream with edits has another meaning"));
  } else if (auto apart = set_apart(kSameMeaning, baseline.recorded->judgeability, answer)) {
    all.push_back(*std::move(apart));
  } else if (client_ == nullptr) {
    all.push_back(meta_not_judged(kSameMeaning, no_reader(testee_)));
  } else {
    const observe::Answer message = message_of(body, stream);
    const KnownMessage& recorded = *baseline.recorded;
    const auto sound = [&] { return is_sound(reading, stream); };
    Judged told = judge_message(answer, recorded, message, sound);
    if (gave_up(reading, message.error.has_value()) || gave_up(recorded_, recorded.message.error.has_value()))
      told = meta_not_judged(kSameMeaning, "the upstream's own stream breaks its protocol");
    if (told.verdict == Verdict::violated && reading.relayed && relays_another(reading))
      told = meta_not_judged(kSameMeaning,
                             "a client of the upstream's protocol also assembles a different message");
    all.push_back(std::move(told));
  }
  if (!reading.unread.empty() && !reading.relayed) {
    all.push_back(meta_not_judged(kAtOnce, reading.unread));
  } else if (!baseline.arrived) {
    all.push_back(meta_not_exercised(kAtOnce, "the same upstream without a fault decides this"));
  } else {
    all.push_back(judge_timeliness(answer, timeliness));
  }
  return testee_.outside ? with_run(std::move(all)) : all;
}

std::vector<Judged> Judge::judge_transport(const Upstream& upstream,
                                           const testee::Observation& observation) const {
  if (streamed_) return {};  // its rules are about streams
  return transport_.judge(upstream, observation);
}

// The reports of a reader have no form that it may choose, so equal reports have equal bytes.
std::vector<Judged> Judge::judge_reader(const Baseline& baseline, const ResponseUnderTest& answer) const {
  const std::string bytes = baseline.arrived ? comparable(answer.body) : "";
  return {judge_bytes(answer, baseline, bytes, [](std::size_t at) { return at; })};
}

std::vector<Judged> Judge::judge_report(const UpstreamReading& reading, const Baseline& baseline,
                                        const Upstream& upstream,
                                        const testee::Observation& observation) const {
  if (!testee_.is_client()) return {};
  const std::string_view rules = testee_.reads_events() ? contract::kLibrary : contract::kSdk;
  const Judgeability judgeability = judgeability_of(observation, testee_, upstream);
  if (!judgeability.unjudged.empty()) return none_judged(contracts_, rules, judgeability.unjudged);
  if (testee_.reads_answer()) {
    std::optional<observe::ReadAnswer> original;
    if (baseline.arrived) original = observe::reported_answer(baseline.arrived->bytes);
    const observe::Trace trace =
        evidence::answer_trace({upstream.body, upstream.cuts}, *reading.demanded_answer, observation,
                               original ? &*original : nullptr);
    return contract::judge(contracts_, rules, profile_, trace, {});
  }
  std::optional<observe::Reported> original;
  if (baseline.arrived) original = observe::reported(baseline.arrived->bytes);
  const observe::Trace trace =
      evidence::reader_trace({upstream.body, upstream.cuts}, upstream.end, *reading.demanded, observation,
                             original ? &original->events : nullptr);
  return contract::judge(contracts_, rules, profile_, trace, {});
}

std::vector<Judged> Judge::judge(const UpstreamReading& reading, const Baseline& baseline,
                                 const Upstream& upstream, const testee::Observation& observation) const {
  std::vector<Judged> all =
      judge(reading, baseline, observation, judgeability_of(observation, testee_, upstream),
            timeliness(deadlines_of(reading, observation.body), upstream, observation));
  for (Judged& one : judge_transport(upstream, observation)) all.push_back(std::move(one));
  for (Judged& one : judge_report(reading, baseline, upstream, observation)) all.push_back(std::move(one));
  for (Judged& one : asked_.judge(observation)) all.push_back(std::move(one));
  return all;
}

}  // namespace splitproof::campaign
