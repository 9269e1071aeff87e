#pragma once

#include <string_view>
#include <vector>

#include "harness/contract/obligation.hpp"

namespace splitproof::campaign {

inline constexpr std::string_view kSameBytes = "META-03";
inline constexpr std::string_view kSameMeaning = "META-04";
inline constexpr std::string_view kAtOnce = "SSE-15";

/// The obligations that compare observations with each other, or what was said with when it was. No contract can state
/// them, since a contract judges one stream.
const std::vector<contract::Obligation>& meta_obligations();

/// The one with this id, which must be one of the above.
const contract::Obligation& meta_obligation(std::string_view id);

}  // namespace splitproof::campaign
