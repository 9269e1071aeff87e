#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/cause/cause.hpp"
#include "harness/results/run.hpp"

namespace splitproof::report {

using Heading = results::RunHeading;
using results::CutShort;

/// Verdicts counted by obligation, for the last line of every command that judges.
class Tally {
 public:
  /// Counts one verdict; `decides` says whether a violation makes the whole fail.
  void add(const std::string& rule, contract::Verdict verdict, bool decides);

  /// Counts an expected violation: neither a finding nor advice.
  void add_expected(const std::string& rule);

  std::size_t judged() const;                           ///< obligations met, violated or passed on somewhere
  std::size_t not_exercised() const;                    ///< obligations of which nothing was seen anywhere
  std::size_t not_judged() const;                       ///< obligations seen, but nowhere to be told
  std::size_t findings() const { return findings_; }    ///< violations that decide
  std::size_t advice() const { return advice_; }        ///< violations that do not
  std::size_t expected() const { return expected_; }    ///< violations that were expected
  std::size_t passed_on() const { return passed_on_; }  ///< violations that are the upstream's own

  /// "61 obligations judged, 36 not exercised, 0 findings (3 expected)"
  std::string text() const;

 private:
  std::map<std::string, std::set<contract::Verdict>> verdicts_;  // by obligation id
  std::size_t findings_ = 0;
  std::size_t advice_ = 0;
  std::size_t expected_ = 0;
  std::size_t passed_on_ = 0;
};

/// "splitproof: CONFORMS  " or "splitproof: VIOLATES  ", with which every last line begins; `so_far`: "CONFORMS SO FAR".
std::string verdict_word(bool conforms, bool so_far = false);

/// The totals of a campaign.
struct Summary {
  std::size_t recordings = 0;
  std::size_t cases = 0;
  std::size_t recuts = 0;   ///< of these
  std::size_t faults = 0;   ///< of these
  std::size_t turns = 0;    ///< of these, further turns
  std::size_t outputs = 0;  ///< different downstream bodies judged
  std::size_t unrun = 0;    ///< cases beside these that were not run, since their target hangs
  std::vector<std::string>
      changed_recuts;  ///< ids of cases that were not tried: their recut says something else
  Tally tally;
  std::size_t unreadable = 0;
  std::size_t untargeted = 0;
  std::size_t unclaimed = 0;
  std::size_t unavailable = 0;
  std::size_t unwritten = 0;       ///< reports and expectation files
  std::set<std::string> unjudged;  ///< recordings of which nothing was judged with some target
  split::SeamCoverage coverage;
  std::vector<cause::Cause> causes;  ///< what is behind the findings
  std::vector<results::StaleExpectation> stale;
  std::optional<CutShort> cut_short;

  /// As far as it was tried, where it was cut short; then each recording was.
  bool conforms() const {
    return !(cut_short && cut_short->unreached > 0) && tally.findings() == 0 && stale.empty() &&
           unjudged.empty() && unreadable == 0 && unwritten == 0 && unavailable == 0 && recordings > 0;
  }
};

/// Why no contract had anything to judge; empty where one had, and where a pass-through rightly passed on what is no
/// stream. That outputs agree with each other (META) says nothing about them.
std::string why_nothing_judged(const results::RecordingResult& result, const results::Rules& rules);
bool nothing_judged(const results::RecordingResult& result, const results::Rules& rules);

/// The totals of results. What only the run knows is left to be filled in: `stale`, `unwritten`, and what was found out about
/// causes.
Summary summarise(const std::vector<results::RecordingResult>& results, const Heading& heading);

/// The totals of a run, with all that it knows. It must outlive them.
Summary summarise(const results::RunResult& run);

/// A run as a value: results, and what a summary of them has beside.
results::RunResult run_of(std::vector<results::RecordingResult> results, Heading heading,
                          const Summary& summary, bool complete);

/// "splitproof: CONFORMS  42 recordings, ...": the last line of a campaign.
std::string verdict_line(const Summary& summary);

/// The command that runs a case again, quoted for a shell.
std::string reproduce_line(const std::string& case_id, const std::string& target, const Heading& heading);

/// The command that shows a finding again: its case, or the run where no case alone shows it.
std::string reproduce_line(const results::Reproducer& first, const std::string& target,
                           const Heading& heading);

/// The command that looks for the smallest case which shows a violation of an obligation, as one does.
std::string shrink_line(const std::string& case_id, const std::string& obligation, const std::string& target,
                        const Heading& heading);

/// What clients do with a violation of an obligation, in a line: "silently wrong: a; throws: b, c; accepts: d". A client
/// that does one thing with one stream and another with the next stands under "silently wrong or throws". Empty
/// where nothing is known.
std::string clients_line(const contract::Clients& clients, const std::string& obligation,
                         const std::optional<contract::ClientFinding>& finding = {});

/// `text` as one word of a POSIX shell: in single quotes, unless the shell reads it as it stands.
std::string shell_quoted(const std::string& text);

/// "1 case", "2 cases".
std::string counted(std::size_t count, const std::string& thing);

}  // namespace splitproof::report
