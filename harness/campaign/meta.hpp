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

/// Obligations that no contract can express, because a contract judges one stream. They compare observations,
/// relate output to time, or require a stream to judge (RUN, only for external testees).
const std::vector<contract::Obligation>& meta_obligations();

/// Returns the obligation with this id, which must exist.
const contract::Obligation& meta_obligation(std::string_view id);

/// Returns the level of a violation. An external testee may choose different bytes for each answer, so equal
/// bytes are only `info` there.
contract::Level level_for(const contract::Obligation& obligation, const testee::Traits& testee);

}  // namespace splitproof::campaign
