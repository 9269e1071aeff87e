#pragma once

#include <set>
#include <vector>

#include "harness/cause/behaviour_sample.hpp"
#include "harness/cause/cause.hpp"
#include "harness/cause/separate.hpp"
#include "harness/cause/sure.hpp"

namespace splitproof::cause {

/// Joins causes that repeat another cause. A finding moves to the cause of another finding in its recording in these
/// cases:
///
/// - By the contracts, its rule follows the other rule. The other rule may be met there if nearly all answers of a shape
///   violate it.
/// - Both have the same found value and the same wanted value, and the other cause is more frequent.
/// - Text is held back in an answer that lacks content.
/// - The answer stops early or with an error, and lacks what was due afterwards, such as its counts.
/// - The order of all parts differs, and so does one of the parts.
/// - A member is missing, and so the value that is read from it differs.
/// - It is about what a recut adds, but the recording lacks the same content without the recut.
/// - Content is in another part than the wanted one, from which it is missing (moved.hpp).
/// - The order of the parts lacks parts, and their content is lost.
/// - It follows the other rule by the contracts, or the other way round, and most answers of a shape violate the other
///   rule without it.
/// - It shows only if the answer is recut, and the same recut shows the other cause in many more recordings.
///
/// A whole cause moves to another cause that explains nearly all findings of its rule. The cases are:
///
/// - Its rule applies to a shape and compares content, and nearly all answers that share another shape with it violate a
///   general rule. Their only differences are those of the general rule.
/// - It is an error of form in the event that ends a failed answer as a success.
/// - The answer in one piece differs from a stream in a part that is wrong in the stream.
/// - Both are empty answers to upstreams that failed.
/// - It has few findings without a common value or shape, and rare errors of the same answers explain them. Then each
///   such finding moves to its error.
/// - It has a single finding, and a rare error of the same answer has several.
/// - Its stake is not grave, and all its recordings are in the other cause, and are most of them.
///
/// A cause moves to a cause of a lighter stake only by the contracts. `answers` are all
/// samples of the target, also those without violations.
void fold_causes(std::vector<Cause>& causes, std::set<const results::Row*>& doubtful,
                 const FindingRows& findings, const results::Rules& rules, const SamplesOf& samples,
                 const std::vector<BehaviourSample>& answers);

}  // namespace splitproof::cause
