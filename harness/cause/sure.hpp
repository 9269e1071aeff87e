#pragma once

#include <map>
#include <set>
#include <vector>

#include "harness/cause/cause.hpp"

namespace splitproof::cause {

/// Findings, and in which recordings they are.
using FindingRows = std::map<const results::Row*, const results::RecordingResult*>;

/// Of what the causes of a target own, what may come of something else:
///
/// - What few recordings show below a cause, where its rule names another one that it does not follow from; and with it what
///   usually stands below that.
/// - What is made of a document where the upstream answers with one in place of a stream, if the cause shows in streams:
///   programs go another way there.
std::set<const results::Row*> unsure_of(const std::vector<Cause>& causes, const FindingRows& findings);

}  // namespace splitproof::cause
