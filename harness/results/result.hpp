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
#include "harness/results/upstream.hpp"
#include "harness/split/coverage.hpp"

namespace splitproof::results {

/// How much of a downstream body is kept to be shown, in bytes.
inline constexpr std::size_t kKeptBody = 65536;

/// Where the evidence of a violation is: in the downstream trace, or in what was asked of the upstream.
struct Place {
  std::optional<std::size_t> event;  ///< none at the end, or where no event holds it
  std::size_t begin = 0;             ///< byte range
  std::size_t end = 0;

  auto operator<=>(const Place&) const = default;
};

/// The case by which a finding is shown: of all that violate the rule, the one that a person would rather look at.
struct Reproducer {
  std::string case_id;
  bool only_cut = true;  ///< its body is the recorded one
  bool alone = true;     ///< it shows the violation when it is run by itself; else a whole run may
  bool fault = false;    ///< it has one, or the upstream does something else beside answering
  Upstream upstream;
  Place place;
  std::string downstream;  ///< the bytes of that range, shortened
  std::string message;
  std::string body = {};    ///< all that came downstream, up to kKeptBody; empty where it was not kept
  bool of_request = false;  ///< place and bytes are of what was asked of the upstream

  auto operator<=>(const Reproducer&) const = default;
};

/// The effort to read a case. Whatever shows one of several cases shows the one with the least effort, and breaks ties as it needs.
std::tuple<bool, bool, bool, bool, std::size_t> effort(bool alone, bool fault, bool only_cut,
                                                       const Upstream& upstream);
inline auto effort(const Reproducer& one) { return effort(one.alone, one.fault, one.only_cut, one.upstream); }

/// What was found out about one rule on one recording with one target, over all splits.
struct Row {
  std::string rule;  ///< its id
  contract::Level level = contract::Level::must;
  contract::Verdict verdict = contract::Verdict::not_exercised;
  std::string reason = {};               ///< why it was not exercised or not judged, or is the upstream's
  std::size_t cases = 0;                 ///< tried
  std::size_t violating = 0;             ///< of these
  std::optional<Reproducer> first = {};  ///< where it is violated, or that is passed on
  std::optional<Expectation> expectation = {};  ///< that foretold this violation

  auto operator<=>(const Row&) const = default;
};

/// One rule that a case violates.
struct Symptom {
  std::string rule;  ///< its id
  contract::Level level = contract::Level::must;
  contract::Violation violation;
  Place place;             ///< in the downstream trace
  std::string downstream;  ///< the bytes of that range, shortened
  std::string message;
  bool of_request = false;  ///< as in Reproducer
  bool expected = false;    ///< an expectation accepts it

  auto operator<=>(const Symptom&) const = default;
};

/// One way in which cases of a recording turned out: the rules that all of them violate, each by the same clause at the
/// same field, and those that all of them meet. It is shown by the case that a person would rather look at.
struct Behaviour {
  std::string case_id;
  bool only_cut = true;  ///< its body is the recorded one
  bool fault = false;    ///< it has one
  Upstream upstream;     ///< of that case
  std::size_t cases = 0;
  std::vector<Symptom> symptoms;      ///< in the order of the rows
  std::vector<std::string> meets;     ///< ids of rules, likewise
  std::string body = {};              ///< that came downstream, up to kKeptBody; empty without symptoms
  std::set<std::string> shapes = {};  ///< of the upstream's answer in that case (observe::Expected)

  auto operator<=>(const Behaviour&) const = default;
};

/// The case that shows it, for one of its symptoms.
Reproducer reproducer_of(const Behaviour& behaviour, const Symptom& symptom);

/// What a reader of results has to know of a recording.
struct Recorded {
  std::string id;
  std::string protocol;
  std::string digest;                ///< of its file's text: two of one digest are one recording
  bool about_request = false;        ///< it is there for a client's request: its answer is of no interest
  bool is_document = false;          ///< the upstream answers with JSON, not with a stream
  bool follows_real_stream = false;  ///< recording::follows_real_stream
  std::string body = {};             ///< where something is violated; else empty

  auto operator<=>(const Recorded&) const = default;
};

/// One recording through one target.
struct RecordingResult {
  std::string target;
  Recorded recording;
  std::size_t cases = 0;
  std::size_t recuts = 0;  ///< of these
  std::size_t faults = 0;  ///< of these
  std::size_t turns = 0;   ///< of these, second turns
  std::size_t called = 0;  ///< of these: the target called its upstream, as far as that is seen
  std::size_t broken = 0;  ///< of these: it crashed, hung or sent garbage
  std::size_t outputs =
      0;  ///< different downstream bodies among them: each was judged once for what was said upstream
  std::size_t unrun = 0;          ///< cases beside these that were not run, since the target fell silent
  bool passes_no_stream = false;  ///< see campaign::Judge: nothing in it was to be judged
  std::vector<std::string> changed_recuts;  ///< labels of recuts not tried: they would say something else
  split::SeamCoverage coverage;
  std::vector<Row>
      rows;  ///< in the order of the contracts, then META, RUN, transport, what was asked, META-05
  std::vector<Behaviour> behaviours;  ///< in the order in which they were first seen

  auto operator<=>(const RecordingResult&) const = default;
};

/// Whether a violation of a rule of this level makes a run fail, unless it was expected.
bool decides(contract::Level level, bool strict);

}  // namespace splitproof::results
