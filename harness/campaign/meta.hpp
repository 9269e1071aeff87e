#pragma once

#include <string_view>
#include <vector>

#include "harness/contract/obligation.hpp"
#include "harness/results/rule.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

inline constexpr std::string_view kSameWhole = "META-01";
inline constexpr std::string_view kSameBytes = "META-03";
inline constexpr std::string_view kSameMeaning = "META-04";
inline constexpr std::string_view kApart = "META-05";
inline constexpr std::string_view kAtOnce = "SSE-15";
using results::kCrashed;
using results::kGarbage;
using results::kHung;

/// The obligations that no contract can state, since a contract judges one stream: those that compare observations with
/// each other, or what was said with when it was, and that there is a stream to judge (RUN, of testees outside this
/// process only).
const std::vector<contract::Obligation>& meta_obligations();

/// The one with this id, which must be one of the above.
const contract::Obligation& meta_obligation(std::string_view id);

/// What a violation weighs. A testee outside this process may choose its bytes anew for each answer, so that they are
/// the same is no more than `info` there.
contract::Level level_for(const contract::Obligation& obligation, const testee::Traits& testee);

}  // namespace splitproof::campaign
