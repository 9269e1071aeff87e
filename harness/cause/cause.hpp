#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/cause/stake.hpp"
#include "harness/contract/clients.hpp"
#include "harness/results/result.hpp"
#include "harness/results/rule.hpp"
#include "harness/results/run.hpp"

namespace splitproof::cause {

/// A recording in which a cause shows.
struct Occurrence {
  const results::RecordingResult* in = nullptr;
  std::string case_id;
  std::size_t cases = 0;
  std::string recut;  ///< Label; empty without a recut.
  bool cut = false;   ///< It shows only if the body is cut or held back.
  bool fault = false;
};

/// A client's reaction to the answers that show a cause.
struct Impact {
  std::string client;  ///< Client id.
  contract::Reaction reaction = contract::Reaction::accepts;
  std::string says;  ///< One sentence.
  /// The client was tried with a stream that violates the same rules of form as the shown answer. Otherwise
  /// it was tried with another answer that violates the cause's rule.
  bool is_same_stream = true;
};

using results::Smallest;
using results::Tries;

/// One thing to fix in a target: the common cause of a number of findings.
struct Cause {
  std::string target;
  /// The rule that describes it best. Rule and kind are unique among the target's causes.
  const results::Rule* rule = nullptr;
  std::string kind = {};        ///< Way in which the rule is violated (kind.hpp).
  bool is_only_of_rule = true;  ///< No other cause of the target has this rule.
  Stake stake = Stake::form;    ///< Of the example, or of a finding of a rule that its rule follows.
  contract::Level level = contract::Level::must;
  results::Reproducer shown;                     ///< The easiest case to read.
  const results::RecordingResult* in = nullptr;  ///< Recording of `shown`.
  std::vector<Occurrence> occurrences;           ///< Never empty.
  std::set<const results::Row*> own;             ///< Its findings: violated rules of recordings; never empty.
  std::size_t cases = 0;                         ///< Cases that violate the rule in these recordings.
  std::set<const results::Row*> doubtful;     ///< Subset of `own` that co-occurs and may have another cause.
  std::vector<const results::Rule*> below;    ///< The other rules of its findings.
  std::vector<const results::Rule*> perhaps;  ///< Such rules whose findings are mostly doubtful.
  std::vector<Impact> impacts;                ///< One for each client with known behaviour.

  /// Knob values that alone would make the shown answer acceptable, such as "overlap: indexed". Covers the
  /// knobs that the rule depends on. nullopt: not examined.
  std::optional<std::vector<std::string>> accepted_by = {};

  std::optional<Smallest> smallest = {};  ///< nullopt: not searched, or no single case shows it.
  std::optional<Tries> tries = {};        ///< Of `shown`. nullopt: its target was not tried again.

  /// Returns its name in reports: the id of the rule, or "ANT-20:less" if several causes have the rule.
  std::string name() const { return is_only_of_rule || kind.empty() ? rule->id : rule->id + ":" + kind; }

  /// Returns the bug: the title of the rule. If several causes have the rule, it also names the value that
  /// differs and the way: "First choice differs from the upstream's answer: thinking lost".
  std::string title() const;

  /// Counts the recordings that show it; ordinary() counts unmodified and merely cut ones.
  std::size_t recordings() const;
  std::size_t ordinary() const;

  /// True if it shows in a recording with a shape of real streams, unmodified or merely cut.
  bool in_real_streams() const;

  /// True if the target crashes, hangs or sends garbage.
  bool is_breakdown() const;

  /// True if it comes and goes: some tries did not show it, or no single case causes a breakdown.
  bool is_unstable() const;

  /// Sets `tries`. A case that shows the violation again is one that shows it alone.
  void set_tries(const Tries& counted);

  /// Ranks the worst reaction of a client:
  /// -1: gets another client's answer;
  /// 0: silently wrong;
  /// 1: throws, or the rule rests on a client that was hurt in another way;
  /// 2: no client was tried;
  /// 3: accepts.
  int harm() const;
};

/// Returns the causes of all unexpected violations, for each target in the order of the results. The cause
/// with the gravest stake is first (`content` and `failure` are equal), then the one that harms clients most; at
/// equal harm, causes in streams of real providers come first. A violation that does not decide the verdict makes no
/// cause. Every finding belongs to exactly one cause.
///
/// Violations of upstream requests and of answers have separate causes. The exception is a further turn: its
/// request repeats the answer. If its rule `follows` a rule that the answer violates, it has the same cause.
/// The steps are:
///
/// 1. A violation is new if the case has it and the unmodified recording does not. The recut, fault or cut of
///    the case explains it. Only new violations count for such a case, and they have one cause.
/// 2. A near-universal violation is a cause. It includes its followers, violations at the same event, and kin
///    that rarely show without it. It also includes other errors of a repeated event. Recordings about
///    requests are not counted, because their answers are alike.
/// 3. Within a case, an error of form explains a wrong meaning. It explains a rule about a shape if that rule
///    is rarely violated without it and is met elsewhere. A rule explains the rules that `follow` it. An
///    unexplained violation is a root. A mere difference between two cuts belongs to what the same cases
///    violate.
/// 4. Roots are joined if any of these is true. They show in the same cases, mostly by one kind of recut, or
///    one shows only with the other. Their rules follow each other. Kin rules (END-01, END-05) are violated
///    in the same way or at one shape. Each shows in a single recording, all of one shape. They are
///    unreadable characters, repeated parts, or the same invented text. A few recordings of a shape join a
///    kin rule that nearly all others of it violate.
/// 5. A root of at most three recordings yields to a larger cause in the same recording. It also yields if
///    both disappear under the same cuts. Then the finding is doubtful. A violation is also doubtful if it
///    merely co-occurs with a root or repeats a near-universal difference, or if sure.hpp lists it.
/// 6. Grave findings leave causes that would hide them, and a rule that is violated in several ways has
///    several causes (separate.hpp).
/// 7. Causes that report what another cause reports are joined with it (fold.hpp).
///
/// No step lets a violation explain another one of a graver stake, unless the contracts say that it follows.
/// Grave violations of different stakes are never joined merely because they show in the same cases.
///
/// The results and rules must outlive the causes. `rules` must contain the rules of all results.
std::vector<Cause> causes_of(const std::vector<results::RecordingResult>& results,
                             const results::Rules& rules, const contract::Clients& clients, bool strict);

/// Returns what may be a cause if these results are only a part of a campaign: each rule with unexpected
/// violations that decide the verdict, in each of its kinds, with its easiest case. Parameters as above.
std::vector<Cause> candidates_of(const std::vector<results::RecordingResult>& results,
                                 const results::Rules& rules, const contract::Clients& clients, bool strict);

/// Counts the causes that keep a client from working with a target.
struct Readiness {
  const contract::ClientProgram* client = nullptr;
  std::size_t wrong = 0;    ///< Causes that silently corrupt the client's result.
  std::size_t throws = 0;   ///< Causes that make it report an error.
  std::size_t hurt = 0;     ///< Other causes whose rule rests on its reaction to a similar stream.
  std::size_t untried = 0;  ///< Causes with unknown reaction.
};

/// Returns one entry for each client of the target's client protocol, in the order of the files.
std::vector<Readiness> readiness(const std::vector<Cause>& causes, const std::string& target,
                                 const std::string& protocol, const contract::Clients& clients);

}  // namespace splitproof::cause
