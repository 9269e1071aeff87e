#include "harness/campaign/comparison.hpp"

#include <algorithm>
#include <utility>

#include "harness/campaign/meta.hpp"
#include "harness/contract/json_value.hpp"

namespace splitproof::campaign {
namespace {

using contract::Judged;
using contract::Verdict;

constexpr std::size_t kShownOfTwo = 40;      // bytes of each of two bodies that differ
constexpr std::size_t kEvidenceBytes = 160;  // shown from the first difference

// Returns the event that contains byte `at`.
std::optional<std::size_t> event_at(observe::EventStream& stream, std::size_t at) {
  std::optional<std::size_t> found;
  std::size_t number = 0;
  observe::for_each_event(stream, [&](const observe::Event& event) {
    if (at < event.end) found = number;
    ++number;
    return !found;
  });
  return found;
}

Judged judged(std::string_view id, Verdict verdict) {
  Judged judged;
  judged.obligation = &meta_obligation(id);
  judged.verdict = verdict;
  return judged;
}

// Shows the bytes from `at` on.
Judged violated(std::string_view id, const ResponseUnderTest& answer, std::size_t at, std::string message) {
  Judged told = judged(id, Verdict::violated);
  told.begin = std::min(at, answer.body.size());
  told.end = std::min(at + kEvidenceBytes, answer.body.size());
  told.event = event_at(answer.stream, at);
  told.violation.found = message;
  told.found = message;
  told.message = std::move(message);
  return told;
}

// Describes which of two different messages of a recording is wrong, as far as it is known.
std::string side_that_is_wrong(std::optional<bool> here, const KnownMessage& known) {
  if (!here || !known.sound) return "";
  if (*here && *known.sound) return "; in each case the answer agrees with the upstream";
  if (*here) return "; here the answer agrees with the upstream, and " + known.cut + " it does not";
  return *known.sound ? "; " + known.cut + " it agrees with the upstream"
                      : "; neither answer agrees with the upstream";
}

std::string kind_of(const Judgeability& judgeability) {
  return judgeability.no_stream.empty() ? "an event stream" : judgeability.no_stream;
}

// "; by then 212 bytes had come, the last whole event being event 2 (ping, line 4)"
std::string what_had_come(const ResponseUnderTest& answer) {
  const std::size_t size = answer.body.size();
  if (size == 0) return "; no byte of the answer's body had arrived";
  const std::string bytes = "; " + std::to_string(size) + (size == 1 ? " byte" : " bytes") + " had arrived, ";
  std::optional<observe::Event> last;
  std::size_t number = 0;
  observe::for_each_event(answer.stream, [&](const observe::Event& event) {
    if (event.fault == observe::StreamFault::unterminated_event) return false;
    number += last ? 1 : 0;
    last = event;
    return true;
  });
  if (!last) return bytes + "but no whole event";
  return bytes + "and the last whole event was event " + std::to_string(number) + " (" +
         (last->event.value_or("").empty() ? "" : *last->event + ", ") + "line " +
         std::to_string(last->line) + ")";
}

}  // namespace

Judged meta_not_judged(std::string_view id, std::string reason) {
  return contract::not_judged(meta_obligation(id), std::move(reason));
}

Judged meta_not_exercised(std::string_view id, std::string reason) {
  Judged told = judged(id, Verdict::not_exercised);
  told.reason = std::move(reason);
  return told;
}

std::optional<Judged> set_apart(std::string_view id, const Judgeability& first,
                                const ResponseUnderTest& answer) {
  const Judgeability& here = answer.judgeability;
  if (!here.unjudged.empty()) return meta_not_judged(id, here.unjudged);
  if (!first.unjudged.empty())
    return meta_not_judged(id, "the answer in the original chunks: " + first.unjudged);
  if (first.no_stream.empty() != here.no_stream.empty()) {
    return violated(id, answer, 0,
                    "in the original chunks the answer is " + kind_of(first) + ", and here " + kind_of(here));
  }
  if (!here.no_stream.empty()) return meta_not_judged(id, "the answer is not a stream but " + here.no_stream);
  return std::nullopt;
}

Judged judge_bytes(const ResponseUnderTest& answer, const Baseline& baseline, const std::string& comparable,
                   const std::function<std::size_t(std::size_t)>& original) {
  if (!baseline.arrived)
    return meta_not_exercised(kSameBytes, "splitproof cuts an upstream with a fault in only one way");
  const EventwiseOutput& first = *baseline.arrived;
  if (auto apart = set_apart(kSameBytes, first.judgeability, answer)) return *apart;
  if (comparable == first.bytes) return judged(kSameBytes, Verdict::met);
  const auto differ =
      std::mismatch(comparable.begin(), comparable.end(), first.bytes.begin(), first.bytes.end());
  const std::size_t at = original(static_cast<std::size_t>(differ.first - comparable.begin()));
  const auto shown = [](std::string::const_iterator from, const std::string& of) {
    return contract::excerpt(std::string_view(of).substr(from - of.begin(), kShownOfTwo));
  };
  const std::string here = shown(differ.first, comparable);
  const std::string original_chunks = shown(differ.second, first.bytes);
  Judged told = violated(kSameBytes, answer, at,
                         "from byte " + std::to_string(at) + " on the output is " + here + ", and " +
                             original_chunks + " for the original chunks");
  told.violation.found = here;
  told.violation.wanted = original_chunks;
  return told;
}

Judged judge_message(const ResponseUnderTest& answer, const KnownMessage& known,
                     const observe::Answer& message, const std::function<std::optional<bool>()>& sound) {
  const std::string difference = describe_difference(message, known.message, {"here", known.cut});
  if (difference.empty()) return judged(kSameMeaning, Verdict::met);
  return violated(kSameMeaning, answer, answer.body.size(), difference + side_that_is_wrong(sound(), known));
}

Judged judge_timeliness(const ResponseUnderTest& answer, const Timeliness& timeliness) {
  const Judgeability& judgeability = answer.judgeability;
  if (!judgeability.unjudged.empty()) return meta_not_judged(kAtOnce, judgeability.unjudged);
  if (!judgeability.no_stream.empty())
    return meta_not_judged(kAtOnce, "the answer is not a stream but " + judgeability.no_stream);
  if (!timeliness.due) return meta_not_exercised(kAtOnce, "no output was due before the end of the answer");
  if (!timeliness.unseen.empty()) return meta_not_judged(kAtOnce, timeliness.unseen);
  const std::optional<Late>& late = timeliness.late;
  if (!late) return judged(kAtOnce, Verdict::met);
  return violated(kAtOnce, answer, late->said,
                  "when the upstream's first " + std::to_string(late->upstream) +
                      " bytes were read, the first " + std::to_string(late->due) +
                      " bytes downstream were due, and " + std::to_string(late->said) + " were out");
}

Judged judge_run(std::string_view id, const ResponseUnderTest& answer) {
  const Judgeability& judgeability = answer.judgeability;
  if (judgeability.broke == id) {
    std::string what = judgeability.detail.empty() ? judgeability.unjudged : judgeability.detail;
    if (id == kHung) what += what_had_come(answer);
    return violated(id, answer, answer.body.size(), std::move(what));
  }
  return judgeability.ran ? judged(id, Verdict::met) : meta_not_judged(id, judgeability.unjudged);
}

}  // namespace splitproof::campaign
