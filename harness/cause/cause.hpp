#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/contract/clients.hpp"
#include "harness/contract/obligation.hpp"

namespace splitproof::cause {

/// Where a cause shows.
struct Occurrence {
  const campaign::RecordingResult* in = nullptr;
  std::string case_id;
  std::size_t cases = 0;
  std::string recut;  ///< its label; empty without one
  bool cut = false;   ///< only a cut, or what was held back, brings it about
  bool fault = false;
};

/// What one client does with the answers by which a cause shows.
struct Impact {
  std::string client;  ///< its id
  contract::Reaction reaction = contract::Reaction::accepts;
  std::string says;  ///< one sentence
};

/// One thing to fix in a target: what is behind a number of findings.
struct Cause {
  std::string target;
  const contract::Obligation* rule =
      nullptr;  ///< that its violations come of; no other cause of the target has it
  contract::Level level = contract::Level::must;
  campaign::Reproducer shown;                     ///< the easiest to read
  const campaign::RecordingResult* in = nullptr;  ///< where that is
  std::vector<Occurrence> occurrences;            ///< never empty
  std::size_t findings = 0;  ///< violated rules of recordings that are its own, and no earlier cause's
  std::set<const campaign::Row*> own;  ///< these
  std::size_t cases = 0;               ///< that violate the rule, in the recordings in which it shows
  std::map<const contract::Obligation*, std::size_t> below;  ///< rules that only follow, and how often
  std::vector<Impact> impacts;  ///< one for each client of which something is known

  /// In how many recordings it shows, and in how many of these as they were recorded, or only cut.
  std::size_t recordings() const;
  std::size_t ordinary() const;

  /// By the worst that a client does: 0 silently wrong, 1 throws, or the rule rests on a client that was hurt otherwise, 2 no
  /// client was tried, 3 accepts.
  int harm() const;
};

/// What is behind the violations that nobody expected: for each target, in the order of the results, its causes, the most
/// harmful first. A violation that does not decide makes no cause.
///
/// 1. What a case violates that the recording, as it arrived, does not, comes of what was done to it. So of a recut, a
///    fault or a cut only what is new counts, and it has one cause.
/// 2. Where a rule `follows` another by its contract, or comes with it and hardly without (Association), the other is
///    what it comes of. What comes of nothing else in its case is a cause.
/// 3. Causes that show in the same cases are one, unless they show nearly everywhere; and so is what shows in one
///    recording alone and something else that is rare there.
///
/// The results must outlive them.
std::vector<Cause> causes_of(const std::vector<campaign::RecordingResult>& results,
                             const contract::Clients& clients, bool strict);

/// Whether clients can work with a target.
struct Readiness {
  const contract::ClientProgram* client = nullptr;
  std::size_t wrong = 0;    ///< causes with which it goes on with something else than was meant
  std::size_t throws = 0;   ///< causes with which it reports an error
  std::size_t untried = 0;  ///< causes of which it is not known what it does
};

/// One for each client of the protocol that the target's clients speak, in the order of the files.
std::vector<Readiness> readiness(const std::vector<Cause>& causes, const std::string& target,
                                 const std::string& protocol, const contract::Clients& clients);

}  // namespace splitproof::cause
