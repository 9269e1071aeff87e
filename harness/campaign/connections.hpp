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

/// The case id of an act: `RECORDING?client=PROTOCOL&act=NAME`.
std::string act_case(const testee::Testee& testee, const recording::Recording& recording,
                     const ConnectionActKind& act);

/// What one act brought about.
struct ActOutcome {
  const ConnectionActKind* act = nullptr;
  std::size_t tries = 0;
  std::array<bool, kConnectionRules> applies = {};       ///< the act says something about the rule
  std::array<std::size_t, kConnectionRules> seen = {};   ///< tries in which the rule was violated
  std::array<std::string, kConnectionRules> found = {};  ///< what violated it first, one sentence
  std::string shown;                ///< of an answer with another's text: some bytes with it
  std::size_t shown_at = 0;         ///< their offset in the body
  testee::TrialEvidence first_try;  ///< what came in the first try
  std::string lost;                 ///< why it could not be tried; empty: it was

  /// A byte of another's answer is proof. What time could explain has to show in each try.
  bool violates(std::size_t rule) const;
};

/// Tries what a testee makes of an upstream that misbehaves between answers (CONN). Each act is a trial of its own: a client
/// gets an answer, the act happens, and the next clients must get their own answers. The testee is started over after
/// each trial that shows a violation, so that one act does not disturb the next.
class ConnectionTrials {
 public:
  /// The references must outlive it. The recording has canary_stream(), and the testee claims it.
  ConnectionTrials(const testee::Testee& testee, const recording::Recording& recording,
                   const contract::Profile& profile);

  /// Why nothing can be tried: the testee is not behind HTTP, or a plain request does not get its answer. Empty if all
  /// is well. Makes a trial without any act, with which the others are compared.
  std::string begin();

  /// Tries an act, twice if the first try shows a violation. To be called after begin().
  ActOutcome try_act(const ConnectionActKind& act);

  /// What the rules say of several acts.
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
  std::string sent_too_often(const ConnectionActKind& act, const testee::TrialEvidence& seen) const;

  const testee::Testee& testee_;
  const recording::Recording& recording_;
  const bool may_retry_;
  std::size_t trials_ = 0;
  std::size_t usual_calls_ = 1;  // that a plain request makes
  bool reuses_ = false;          // connections to the upstream
};

/// Tries all acts whose case `only` selects, or all if it is empty, and says what the rules say of them.
std::vector<results::Row> try_connections(const testee::Testee& testee, const recording::Recording& recording,
                                          const contract::Profile& profile, const std::string& only,
                                          const std::function<bool()>& stop);

/// True if `--only` asks for acts by their name.
bool asks_for_acts(const std::string& only);

}  // namespace splitproof::campaign
