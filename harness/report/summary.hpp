#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/cause/cause.hpp"
#include "harness/report/since.hpp"
#include "harness/results/run.hpp"

namespace splitproof::report {

using Heading = results::RunHeading;
using results::CutShort;

/// Counts verdicts by obligation, for the last line of every judging command.
class Tally {
 public:
  /// Counts one verdict; `decides`: a violation fails the whole.
  void add(const std::string& rule, contract::Verdict verdict, bool decides);

  /// Counts an expected violation: neither a finding nor advice.
  void add_expected(const std::string& rule);

  std::size_t judged() const;                           ///< Obligations met, violated or passed on somewhere.
  std::size_t not_exercised() const;                    ///< Obligations that no case exercised.
  std::size_t not_judged() const;                       ///< Obligations exercised, but judged nowhere.
  std::size_t findings() const { return findings_; }    ///< Deciding violations.
  std::size_t advice() const { return advice_; }        ///< Other violations.
  std::size_t expected() const { return expected_; }    ///< Expected violations.
  std::size_t passed_on() const { return passed_on_; }  ///< Violations by the upstream.

  /// Returns "61 obligations judged, 36 not exercised, 0 findings (3 expected)".
  std::string text() const;

 private:
  std::map<std::string, std::set<contract::Verdict>> verdicts_;  // by obligation id
  std::size_t findings_ = 0;
  std::size_t advice_ = 0;
  std::size_t expected_ = 0;
  std::size_t passed_on_ = 0;
};

/// Returns "splitproof: CONFORMS  " or "splitproof: VIOLATES  ", the beginning of every last line; with
/// `so_far` "CONFORMS SO FAR".
std::string verdict_word(bool conforms, bool so_far = false);

/// The totals of a campaign.
struct Summary {
  std::size_t recordings = 0;
  std::size_t cases = 0;
  std::size_t recuts = 0;                   ///< Cases with a recut.
  std::size_t faults = 0;                   ///< Cases with a fault.
  std::size_t turns = 0;                    ///< Cases with a further turn.
  std::size_t outputs = 0;                  ///< Distinct downstream bodies judged.
  std::size_t unrun = 0;                    ///< Further cases that were not run, because their target hangs.
  std::vector<std::string> changed_recuts;  ///< Ids of skipped cases, whose recut changes the meaning.
  Tally tally;
  std::size_t unreadable = 0;
  std::size_t untargeted = 0;
  std::size_t unclaimed = 0;
  std::size_t unavailable = 0;
  std::size_t unwritten = 0;       ///< Reports and expectation files.
  std::set<std::string> unjudged;  ///< Recordings for which some target has no verdict.
  split::SeamCoverage coverage;
  std::vector<cause::Cause> causes;       ///< Causes of the findings.
  std::vector<results::CauseNote> notes;  ///< About other rules, which may be causes in merged results.
  std::vector<results::StaleExpectation> stale;
  std::optional<CutShort> cut_short;
  bool quick = false;               ///< Only what finds most was to be tried.
  std::optional<Since> since = {};  ///< The comparison with an earlier run, if `--since` names one.
  std::string shards;  ///< "shard 3 of 16": the results have only its cases. Empty: they have all cases.

  /// True if only some of the planned cases ran.
  bool is_partial() const { return cut_short.has_value() || !shards.empty(); }

  /// Covers the tried cases. An early end needs at least one case of each recording, except in a quick run. A
  /// shard may have no case.
  bool conforms() const {
    return (quick || !(cut_short && cut_short->unreached > 0)) && tally.findings() == 0 && stale.empty() &&
           unjudged.empty() && unreadable == 0 && unwritten == 0 && unavailable == 0 &&
           (recordings > 0 || !shards.empty());
  }
};

/// Returns the reason why no contract could judge anything. Returns "" if one could, or if a pass-through
/// correctly passed on a response without a stream. Agreement between outputs (META) does not count.
std::string why_nothing_judged(const results::RecordingResult& result, const results::Rules& rules);
bool nothing_judged(const results::RecordingResult& result, const results::Rules& rules);

/// Returns the totals of results. The caller sets what only the run knows: `stale`, `unwritten`, and notes on
/// causes.
Summary summarise(const std::vector<results::RecordingResult>& results, const Heading& heading);

/// Returns the totals of a run, which must outlive them.
Summary summarise(const results::RunResult& run);

/// True if a running target told something about it, which note_of() returns.
bool was_examined(const cause::Cause& cause);

/// Returns the properties of a cause that need a running target.
results::CauseNote note_of(const cause::Cause& cause);

/// Returns a run as a value: results, and the further content of a summary.
results::RunResult run_of(std::vector<results::RecordingResult> results, Heading heading,
                          const Summary& summary, bool complete);

/// Returns "splitproof: CONFORMS  42 recordings, ...": the last line of a campaign.
std::string verdict_line(const Summary& summary);

/// Returns the command that runs a case again, quoted for a shell.
std::string reproduce_line(const std::string& case_id, const std::string& target, const Heading& heading);

/// Returns the command that reproduces a finding: its case, or the run if no single case shows it.
std::string reproduce_line(const results::Reproducer& first, const std::string& target,
                           const Heading& heading);

/// Returns the command that searches for the smallest case with a violation of an obligation.
std::string shrink_line(const std::string& case_id, const std::string& obligation, const std::string& target,
                        const Heading& heading);

/// Returns the client reactions to a violation in a line: "silently wrong: a; throws: b, c; accepts: d". A
/// client with different reactions to different streams is under "silently wrong or throws". Returns "" if
/// none is known.
std::string clients_line(const contract::Clients& clients, const std::string& obligation,
                         const std::optional<contract::ClientFinding>& finding = {});

/// Returns `text` as one word of a POSIX shell: in single quotes, if needed.
std::string shell_quoted(const std::string& text);

/// Returns "1 case", "2 cases".
std::string counted(std::size_t count, const std::string& thing);

}  // namespace splitproof::report
