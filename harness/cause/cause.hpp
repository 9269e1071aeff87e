#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/contract/clients.hpp"
#include "harness/results/result.hpp"
#include "harness/results/rule.hpp"
#include "harness/results/run.hpp"

namespace splitproof::cause {

/// Where a cause shows.
struct Occurrence {
  const results::RecordingResult* in = nullptr;
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

using results::Smallest;

/// One thing to fix in a target: what is behind a number of findings.
struct Cause {
  std::string target;
  const results::Rule* rule = nullptr;  ///< that tells it best; no other cause of the target has it
  contract::Level level = contract::Level::must;
  results::Reproducer shown;                     ///< the easiest to read
  const results::RecordingResult* in = nullptr;  ///< where that is
  std::vector<Occurrence> occurrences;           ///< never empty
  std::set<const results::Row*> own;             ///< findings: violated rules of recordings; never empty
  std::size_t cases = 0;                   ///< that violate the rule, in the recordings in which it shows
  std::set<const results::Row*> doubtful;  ///< of `own`: what shows beside it, and may come of something else
  std::vector<const results::Rule*> below;    ///< the other rules of its findings
  std::vector<const results::Rule*> perhaps;  ///< likewise, of which most findings are doubtful
  std::vector<Impact> impacts;                ///< one for each client of which something is known

  /// "overlap: indexed": of the knobs that its rule depends on, each value with which alone the answer that is shown would
  /// be accepted. None: nobody looked.
  std::optional<std::vector<std::string>> accepted_by = {};

  std::optional<Smallest> smallest = {};  ///< none: nobody looked for it, or no case alone shows it

  /// In how many recordings it shows, and in how many of these as they were recorded, or only cut.
  std::size_t recordings() const;
  std::size_t ordinary() const;

  /// Whether it shows in a recording as it was recorded, or only cut, whose shape real streams have.
  bool in_real_streams() const;

  /// By the worst that a client does: -1 gets another client's answer, 0 silently wrong, 1 throws, or the rule rests on a client that was hurt otherwise, 2 no
  /// client was tried, 3 accepts.
  int harm() const;
};

/// What is behind the violations that nobody expected: for each target, in the order of the results, its causes, the most
/// harmful first; of equal harm those first that streams of real providers bring about. A violation that does not decide makes
/// no cause. Every finding belongs to exactly one.
///
/// What is asked of the upstream and what is made of its answer are causes apart, but for what a further turn asks by a rule
/// that `follows` one which the answer violates: it says the answer again, and comes of that. Of each:
///
/// 1. What a case violates that the recording, as it arrived, does not, is news and comes of what was done to it. So of a
///    recut, a fault or a cut only what is new counts, and it has one cause.
/// 2. What is violated nearly everywhere is a cause by itself, with what follows it by its contract, is told of the same
///    event, or is kin to it and hardly shows without it. What else is wrong with an event that should not have come again is
///    part of that. Recordings of requests, whose answers are alike, are not counted there.
/// 3. In one case, what says that an answer is not what the upstream said comes of what says in which form it is wrong,
///    and that of a rule about a shape of the upstream's answer where it hardly shows without that, and is met where it is
///    asked otherwise. What `follows` a rule by its contract comes of that. What comes of nothing else in its case is a root.
///    What only differs from the answer of another cut comes of what is violated in the same cases of its recording.
/// 4. Roots are one cause that show in the same cases, mostly by recuts of one kind, or only where the other shows; rules
///    that follow each other; rules of a kind (END-01, END-05) violated in the same way, or wherever the answer has one
///    shape; what shows in one recording alone each, of those with one shape; what cannot be read any more; parts of an
///    answer that come twice; what puts a text into answers that no upstream said; and a few recordings of one shape with
///    a kin rule that is violated nearly wherever another of their shapes is.
/// 5. In a recording in which a greater cause shows, a root of at most three recordings is none. Nor is it one where it is
///    met in the same cuts as something that mostly goes with cuts. There it comes *perhaps* of something else. So does
///    what is told below a root for no other reason than that both show in one case, what differs just as something that is
///    wrong nearly everywhere, and what sure.hpp names.
///
/// The results must outlive them, and so must the rules, which have those of all results.
std::vector<Cause> causes_of(const std::vector<results::RecordingResult>& results,
                             const results::Rules& rules, const contract::Clients& clients, bool strict);

/// Whether clients can work with a target.
struct Readiness {
  const contract::ClientProgram* client = nullptr;
  std::size_t wrong = 0;    ///< causes with which it goes on with something else than was meant
  std::size_t throws = 0;   ///< causes with which it reports an error
  std::size_t hurt = 0;     ///< others whose rule rests on what it did with another such stream
  std::size_t untried = 0;  ///< causes of which it is not known what it does
};

/// One for each client of the protocol that the target's clients speak, in the order of the files.
std::vector<Readiness> readiness(const std::vector<Cause>& causes, const std::string& target,
                                 const std::string& protocol, const contract::Clients& clients);

}  // namespace splitproof::cause
