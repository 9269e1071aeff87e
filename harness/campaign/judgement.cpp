#include "harness/campaign/judgement.hpp"

#include <algorithm>
#include <utility>

#include "harness/campaign/meta.hpp"
#include "harness/observe/chat_reading.hpp"
#include "harness/observe/documents.hpp"
#include "harness/observe/expect.hpp"
#include "harness/observe/sse_reader.hpp"

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
  told.message = std::move(message);
  return told;
}

Judged same_bytes(const std::optional<std::string>& as_arrived, std::string_view body,
                  const observe::Trace& trace) {
  if (!as_arrived) return not_exercised(kSameBytes, "an upstream with a fault is cut in one way only");
  if (body == *as_arrived) return judged(kSameBytes, Verdict::met);
  const auto differ = std::mismatch(body.begin(), body.end(), as_arrived->begin(), as_arrived->end());
  const auto at = static_cast<std::size_t>(differ.first - body.begin());
  return violated(kSameBytes, trace, at, body.size(),
                  "from byte " + std::to_string(at) + " on the output is not that of the body as it arrived");
}

Judged at_once(bool timed, const std::optional<Late>& late, const observe::Trace& trace, std::size_t size) {
  if (!timed) {
    Judged told = judged(kAtOnce, Verdict::not_judged);
    told.reason = "this target does not show what was out when";
    return told;
  }
  if (!late) return judged(kAtOnce, Verdict::met);
  return violated(kAtOnce, trace, late->said, size,
                  "after upstream byte " + std::to_string(late->upstream) + " the first " +
                      std::to_string(late->due) + " bytes were due, and " + std::to_string(late->said) +
                      " were out");
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
  const observe::Meaning& said = reading.meaning;
  add(recording::name(end));
  add(said.model);
  add(said.begins_with_text ? "text first" : "");
  for (const observe::Part& part : said.parts) {
    for (const std::string& field : {part.text, part.signature, part.id, part.name, part.arguments})
      add(field);
    add(std::to_string(static_cast<int>(part.kind)) + " " + std::to_string(part.rank));
  }
  add(said.finish.value_or("-"));
  add(said.done ? "done" : "");
  add(said.error ? "!" + *said.error : "");
  for (const auto& count : {said.usage.prompt, said.usage.cached, said.usage.completion}) add_count(count);
  for (const std::string& shape : said.shapes) add(shape);
  if (reading.as_arrived) add(*reading.as_arrived);
  return text;
}

}  // namespace

split::Subject subject_of(const recording::Recording& recording) {
  std::vector<std::size_t> arrivals;
  for (const recording::Arrival& arrival : recording.arrivals) arrivals.push_back(arrival.end);
  return split::survey(recording.body, arrivals);
}

Judge::Judge(const contract::Contracts& contracts, const contract::Profile& profile,
             const testee::Testee& testee, const recording::Recording& recording)
    : contracts_(contracts),
      profile_(profile),
      testee_(testee),
      recording_(recording),
      choices_(observe::choices_of(profile.knobs)) {
  const Upstream recorded{recording.body, subject_of(recording).arrivals, recording.end};
  const Reading reading = read(recorded, false);
  recorded_meaning_ = reading.meaning;
  recorded_message_ = observe::assemble_anthropic_message(trace_of(*reading.as_arrived));
}

Reading Judge::read(const Upstream& as_arrived, bool broken) const {
  Reading reading;
  observe::SseReader sse;
  sse.feed(as_arrived.body);
  sse.finish();
  observe::ChatReading chat(choices_.same_index_new_id);
  for (const observe::SseEvent& event : sse.events()) {
    chat.take(event);
    const observe::Meaning& said = chat.so_far();
    if (event.terminated)
      reading.milestones.push_back({event.end, observe::due(said, choices_), said.done || said.error});
  }
  chat.take_plain_body(as_arrived.body);
  reading.meaning = chat.finished();
  reading.expected = observe::expected_of(reading.meaning, as_arrived.end, choices_);
  if (!broken) {
    // What a recording demands of itself was asked for when it was loaded; of broken bytes it says nothing.
    (void)observe::apply_expect(recording_, profile_.name, reading.expected);
    reading.as_arrived = testee_.observe(exchange_of(as_arrived)).body;
  }
  reading.digest = digest_of(fingerprint(reading, as_arrived.end));
  return reading;
}

observe::Trace Judge::trace_of(std::string_view body) const {
  return observe::read_trace(body, contracts_.data_kind(testee_.client()));
}

std::vector<Judged> Judge::judge(const Reading& reading, std::string_view body, const observe::Trace& trace,
                                 bool timed, const std::optional<Late>& late) const {
  const observe::Documents documents = observe::documents(reading.expected, trace);
  contract::Evidence evidence;
  evidence.expected = documents.expected.get();
  evidence.got = documents.got.get();
  evidence.features = reading.expected.shapes;
  evidence.features.insert(recording_.features.begin(), recording_.features.end());
  std::vector<Judged> all = contract::judge(contracts_, testee_.client(), profile_, trace, evidence);
  all.push_back(same_bytes(reading.as_arrived, body, trace));
  if (reading.as_arrived) {
    const std::string difference =
        observe::describe_difference(recorded_message_, observe::assemble_anthropic_message(trace));
    Judged meaning = judged(kSameMeaning, difference.empty() ? Verdict::met : Verdict::violated);
    if (!difference.empty()) meaning.message = "as recorded and here: " + difference;
    all.push_back(meaning);
    all.push_back(at_once(timed, late, trace, body.size()));
  } else {
    all.push_back(not_exercised(kSameMeaning, "an upstream with a fault says something else"));
    all.push_back(not_exercised(kAtOnce, "told by the same upstream without its fault"));
  }
  return all;
}

std::vector<Judged> Judge::judge(const Reading& reading, const Upstream& upstream,
                                 const testee::Observation& observation, const observe::Trace& trace) const {
  const Deadlines deadlines(reading.milestones, trace, observation.body.size());
  return judge(reading, observation.body, trace, !observation.after_chunk.empty(),
               deadlines.first_late(upstream.cuts, upstream.body.size(), observation.after_chunk));
}

}  // namespace splitproof::campaign
