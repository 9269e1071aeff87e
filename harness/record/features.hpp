#pragma once

#include <set>
#include <string>

#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/recording/recording.hpp"

namespace splitproof::record {

/// Properties of a recording that matter for tests. Each is a text that begins with its kind:
///
///     rule ANT-05                       the rule judges something in the stream
///     violates ANT-05                   the stream violates it
///     seam utf8-2                       the body has such a place for a cut
///     shape tool-id-late                the answer has a feature that can confuse a translator
///     part call, note usage             the answer has such a part or note
///     finish stop                       the answer's end
///     event error, field /a/*/b null    the names of events and the members of their JSON
///     end reset, status 429             the response's end and status
///
/// Two recordings with the same properties test the same.
using Features = std::set<std::string>;

Features features_of(const recording::Recording& recording, const contract::Contracts& contracts,
                     const contract::Profile& profile);

/// Returns a short text about them for a list: "34 rules, 9 seams, 40 fields; shapes tool-id-late; parts call, text".
std::string summary_of(const Features& features);

}  // namespace splitproof::record
