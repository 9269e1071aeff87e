#pragma once

#include <set>
#include <vector>

#include "harness/cause/behaviour_sample.hpp"
#include "harness/cause/cause.hpp"
#include "harness/cause/sure.hpp"

namespace splitproof::cause {

/// Takes findings out of causes that must not hide them:
///
/// - a finding of a graver stake than its cause, unless the contracts say that it follows from its rule;
/// - a grave finding about the meaning that is merely a possible part of its cause;
/// - a finding of the cause's own rule, if it violates the rule in another way (kind.hpp). Content that is lost is apart
///   from content that the same answer has in another part.
///
/// They go to the cause of their rule and kind, or to a new one. Afterwards a cause is unique by its target,
/// rule and kind, and no moved finding is in `doubtful`. Every cause keeps a finding of its own rule.
void separate_faults(std::vector<Cause>& causes, std::set<const results::Row*>& doubtful,
                     const FindingRows& findings, const results::Rules& rules, const SamplesOf& samples);

/// Returns the findings of the rule that names their cause.
std::set<const results::Row*> named_findings(const std::vector<Cause>& causes);

/// Gives findings that a cause got together with others to the cause of their rule and kind, if there is one. `named` are
/// the findings that named their cause before.
void return_to_kinds(std::vector<Cause>& causes, const std::set<const results::Row*>& named,
                     const FindingRows& findings, const results::Rules& rules, const SamplesOf& samples);

/// Sets the example of a cause: the most ordinary of these samples that violates its rule in its kind. Most findings
/// violate the rule in the same field. Prefers unmodified recordings, then real streams, then those with few shapes and
/// little text. Keeps the example that the cause has if no sample shows it.
void show_example(Cause& cause, const FindingRows& findings, const SamplesOf& samples,
                  const results::Rules& rules);

/// Returns the occurrence that a sample is.
Occurrence occurrence_of(const BehaviourSample& sample);

}  // namespace splitproof::cause
