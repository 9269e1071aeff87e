#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/connection_acts.hpp"
#include "harness/contract/obligation.hpp"
#include "harness/contract/profile.hpp"
#include "harness/recording/recording.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

inline constexpr std::string_view kOwnAnswer = "CONN-01";
inline constexpr std::string_view kIdleEnd = "CONN-02";
inline constexpr std::string_view kSentOnce = "CONN-03";
inline constexpr std::string_view kRecovers = "CONN-04";
inline constexpr std::size_t kConnectionRules = 4;

/// The rules about connections to the upstream, in this order. They are among meta_obligations().
std::vector<contract::Obligation> connection_rules();

/// True for a rule about connections to the upstream.
bool is_connection_rule(const contract::Obligation& obligation);

/// Returns the case id of an act: `RECORDING?client=PROTOCOL&act=NAME`.
std::string act_case(const testee::Testee& testee, const recording::Recording& recording,
                     const ConnectionActKind& act);

/// Outcome of one act.
struct ActOutcome {
  const ConnectionActKind* act = nullptr;
  std::size_t tries = 0;
  std::array<bool, kConnectionRules> applies = {};       ///< The act tests the rule.
  std::array<std::size_t, kConnectionRules> seen = {};   ///< Tries that violate the rule.
  std::array<std::string, kConnectionRules> found = {};  ///< The first violation, one sentence.
  std::string shown;                                     ///< Bytes around another's text in an answer.
  std::size_t shown_at = 0;                              ///< Their offset in the body.
  testee::TrialEvidence first_try;                       ///< Observations of the first try.
  std::string lost;                                      ///< Reason why it could not be tried; empty: it was.

  /// True if the rule is violated. A byte of another's answer is proof; effects of timing must show in each
  /// try.
  bool violates(std::size_t rule) const;
};

/// Tests a testee with an upstream that misbehaves between answers (CONN). Each act is a trial: a client gets
/// an answer, the act happens, and the next clients must get their own answers. The testee is restarted after
/// each trial with a violation, so that acts do not affect each other.
class ConnectionTrials {
 public:
  /// The references must outlive it. The recording has canary_stream(), and the testee claims it.
  ConnectionTrials(const testee::Testee& testee, const recording::Recording& recording,
                   const contract::Profile& profile);

  /// Runs a trial without an act as the baseline. Returns "" or the reason why nothing can be tried: the
  /// testee is not reached over HTTP, or a plain request fails or gets an error.
  std::string begin();

  /// True if begin() failed because a plain request did not get its answer. Another recording may succeed.
  bool recording_fails() const { return recording_fails_; }

  /// Tries an act, twice if the first try shows a violation. Call begin() first.
  ActOutcome try_act(const ConnectionActKind& act);

  /// Returns the verdicts on several acts.
  std::vector<results::Row> rows_of(const std::vector<ActOutcome>& outcomes) const;

  /// Rows of rules that are `not judged` for this reason.
  static std::vector<results::Row> not_judged(const std::string& reason);

 private:
  using Found = std::array<std::string, kConnectionRules>;

  Found judge(const ConnectionActKind& act, const ActTrial& trial, const testee::TrialEvidence& seen,
              ActOutcome& outcome) const;
  std::string foreign_text(const ActTrial& trial, std::size_t round, std::size_t place,
                           const testee::TrialReply& reply, ActOutcome& outcome) const;
  bool has_own_answer(const testee::TrialReply& reply, std::size_t own) const;
  bool is_error(const testee::TrialReply& reply) const;
  std::string sent_too_often(const ConnectionActKind& act, const testee::TrialEvidence& seen) const;

  const testee::Testee& testee_;
  const recording::Recording& recording_;
  const bool may_retry_;
  std::size_t trials_ = 0;
  std::size_t usual_calls_ = 1;  // calls for a plain request
  bool reuses_ = false;          // it reuses connections to the upstream
  bool recording_fails_ = false;
};

/// The verdicts on connections, and the recording that was tried.
struct ConnectionRows {
  const recording::Recording* recording = nullptr;
  std::vector<results::Row> rows;
};

/// Tries all acts whose case `only` selects, or all if it is empty. The trials use the first of these recordings whose
/// plain answer arrives without an error. If there is none, the rules are not judged. `recordings` is not empty.
ConnectionRows try_connections(const testee::Testee& testee,
                               const std::vector<const recording::Recording*>& recordings,
                               const contract::Profile& profile, const std::string& only,
                               const std::function<bool()>& stop);

/// True if `--only` names acts.
bool asks_for_acts(const std::string& only);

}  // namespace splitproof::campaign
