#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "harness/contract/verdict.hpp"
#include "harness/results/expectation.hpp"
#include "harness/results/part.hpp"
#include "harness/results/upstream.hpp"
#include "harness/split/coverage.hpp"

namespace splitproof::results {

/// Bytes of a downstream body that are kept for display.
inline constexpr std::size_t kKeptBody = 65536;

/// Location of a violation's evidence in the downstream trace or the upstream request.
struct Place {
  std::optional<std::size_t> event;  ///< nullopt: at the end, or outside of events.
  std::size_t begin = 0;             ///< Byte range.
  std::size_t end = 0;

  auto operator<=>(const Place&) const = default;
};

/// The case that demonstrates a finding: the easiest to read of all that violate the rule.
struct Reproducer {
  std::string case_id;
  bool only_cut = true;  ///< Its body is the recorded one.
  bool alone = true;     ///< It shows the violation when run alone; otherwise only a whole run may.
  bool fault = false;    ///< It has a fault or edits, or the upstream does more than answer.
  Upstream upstream;
  Place place;
  std::string downstream;  ///< The bytes of that range, shortened.
  std::string message;
  std::string body = {};    ///< The downstream body, up to kKeptBody; empty if not kept.
  bool of_request = false;  ///< Place and bytes are in the upstream request.

  auto operator<=>(const Reproducer&) const = default;
};

/// Returns the effort to read a case. The case with the least effort is shown; callers break ties.
std::tuple<bool, bool, bool, bool, std::size_t> effort(bool alone, bool fault, bool only_cut,
                                                       const Upstream& upstream);
inline auto effort(const Reproducer& one) { return effort(one.alone, one.fault, one.only_cut, one.upstream); }

/// The results of one rule on one recording with one target, over all splits.
struct Row {
  std::string rule;  ///< Rule id.
  contract::Level level = contract::Level::must;
  contract::Verdict verdict = contract::Verdict::not_exercised;
  std::string reason = {};                      ///< Reason for not exercised, not judged or passed on.
  std::size_t cases = 0;                        ///< Tried cases.
  std::size_t violating = 0;                    ///< Violating cases.
  std::optional<Reproducer> first = {};         ///< Shows the violation, also if it is passed on.
  std::optional<Expectation> expectation = {};  ///< Accepts this violation.
  bool breaks_client = false;                   ///< A `should` that decides; see Symptom.

  auto operator<=>(const Row&) const = default;
};

/// One rule that a case violates.
struct Symptom {
  std::string rule;  ///< Rule id.
  contract::Level level = contract::Level::must;
  contract::Violation violation;
  Place place;             ///< In the downstream trace.
  std::string downstream;  ///< The bytes of that range, shortened.
  std::string message;
  bool of_request = false;  ///< As in Reproducer.
  bool expected = false;    ///< An expectation accepts it.
  /// It is a `should`, and a tested client fails on this very stream. So it decides like a `must`.
  bool breaks_client = false;

  auto operator<=>(const Symptom&) const = default;
};

/// A group of cases of a recording with the same results. All violate the same rules, by the same clause at
/// the same field, and meet the same rules. The case that is easiest to read demonstrates it.
struct Behaviour {
  std::string case_id;
  bool only_cut = true;  ///< Its body is the recorded one.
  bool fault = false;    ///< The case has a fault or edits.
  Upstream upstream;     ///< The upstream of that case.
  std::size_t cases = 0;
  std::vector<Symptom> symptoms;      ///< In the order of the rows.
  std::vector<std::string> meets;     ///< Ids of rules, in the same order.
  std::string body = {};              ///< Downstream body, up to kKeptBody; empty without symptoms.
  std::set<std::string> shapes = {};  ///< Shapes of the upstream's answer in that case (observe::Expected).

  /// The client's request, and the first upstream request that violates a rule, both up to kKeptBody. Empty if
  /// no rule about requests is violated.
  std::string client_request = {};
  std::string upstream_request = {};

  auto operator<=>(const Behaviour&) const = default;
};

/// Returns the case that demonstrates a behaviour, for one of its symptoms.
Reproducer reproducer_of(const Behaviour& behaviour, const Symptom& symptom);

/// Properties of a recording for readers of results.
struct Recorded {
  std::string id;
  std::string protocol;
  std::string digest;                ///< Digest of the file's text. It identifies the recording.
  bool about_request = false;        ///< Its subject is the client's request, not the answer.
  bool is_document = false;          ///< The upstream answers with JSON, not with a stream.
  bool follows_real_stream = false;  ///< recording::follows_real_stream.
  std::string body = {};             ///< Only if a rule is violated; otherwise empty.

  auto operator<=>(const Recorded&) const = default;
};

/// One recording through one target.
struct RecordingResult {
  std::string target;
  Recorded recording;
  std::size_t cases = 0;
  std::size_t recuts = 0;         ///< Cases with a recut.
  std::size_t faults = 0;         ///< Cases with a fault or edits.
  std::size_t turns = 0;          ///< Cases with a second turn.
  std::size_t called = 0;         ///< Cases in which the target observably called its upstream.
  std::size_t broken = 0;         ///< Cases with a crash, hang or garbage.
  std::size_t outputs = 0;        ///< Distinct downstream bodies; each is judged once per upstream content.
  std::size_t unrun = 0;          ///< Further cases that were not run, because the target stopped answering.
  bool passes_no_stream = false;  ///< See campaign::Judge: nothing could be judged.
  std::vector<std::string> changed_recuts;  ///< Labels of skipped recuts, which would change the meaning.
  split::SeamCoverage coverage;
  std::vector<Row> rows;  ///< In the order of the contracts, then META, RUN, transport, requests, META-05.
  std::vector<Behaviour> behaviours;       ///< In order of first occurrence.
  std::optional<RecordingPart> part = {};  ///< nullopt: it has all cases of the recording.

  auto operator<=>(const RecordingResult&) const = default;
};

/// True if an unexpected violation of this level fails the run.
bool decides(contract::Level level, bool strict);

/// True if an unexpected violation fails the run, by its level or because it breaks a client.
bool decides(const Row& row, bool strict);
bool decides(const Symptom& symptom, bool strict);

}  // namespace splitproof::results
