#pragma once

#include <array>

namespace splitproof::imports {

/// The file that makes a folder a bundle of LiteLLM, and the versions of its format that splitproof reads.
inline constexpr const char* kBundleManifest = "manifest.json";
inline constexpr int kBundleVersion = 4;
inline constexpr std::array<int, 2> kBundleVersions = {kBundleVersion, 5};

/// The reasons that a bundle gives for a truncated stream begin with the side that ended it.
inline constexpr const char* kUpstreamEnded = "upstream:";
inline constexpr const char* kDownstreamEnded = "downstream:";

}  // namespace splitproof::imports
