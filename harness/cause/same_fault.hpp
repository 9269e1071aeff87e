#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "harness/cause/behaviour_sample.hpp"
#include "harness/cause/cause.hpp"
#include "harness/cause/separate.hpp"
#include "harness/cause/sure.hpp"

namespace splitproof::cause {

/// Joins two causes of a target if their findings show one fault. Each paragraph describes one case.
///
/// Each rule follows the other by the contracts.
///
/// The program sends a constant (STOP-02, STOP-04). The rules are kin, all findings have the same value, and the general
/// rule wants several.
///
/// A general rule is violated in nearly all answers of a shape, with the value that a rule which it follows finds in answers of
/// another shape (STOP-02, STOP-03). So the value is never read. The general cause remains, and has the graver stake.
///
/// The rules are kin, and nearly all findings of both have the same edit (edit.hpp).
///
/// One rule is about failed answers: few have no end and the others end as a success, or the opposite. The upstream failed
/// in the same ways. Both causes change the content, or neither does. Any number may have no end if a larger cause is an
/// end that is never sent, and all these answers lack it.
///
/// Few answers violate a general rule of form. Nearly all answers that violate a rule about a shape violate it too, with
/// the same value. The rules are kin, or the value is neither empty nor missing.
///
/// Two kin rules about shapes lose content. Nearly all answers of both violate another rule with one value, such as an empty
/// name. Few other answers do.
///
/// Few answers violate a general rule, and all of them violate a rule about a shape too. If it is an error of form, nearly
/// all of them suffice.
///
/// Few answers violate a general rule, and every case of the other rule violates it at the same place.
///
/// Few answers have an error of form, and all of them lose content. The same holds for a kin rule of the same kind.
///
/// Few answers violate both rules, and nearly all of them violate both at one place of one case. Counts of tokens, the
/// target's process and its connections are apart. The cause about a shape remains.
///
/// Few answers lose content by both rules, and these are the same answers.
///
/// Neither cause may be graver than the other one, which remains, unless the contracts join them. `recordings` is the number
/// of recordings of the target.
void join_same_faults(std::vector<Cause>& causes, std::set<const results::Row*>& doubtful,
                      const FindingRows& findings, const SamplesOf& samples, std::size_t recordings,
                      const std::vector<BehaviourSample>& answers);

}  // namespace splitproof::cause
