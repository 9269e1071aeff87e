#pragma once

#include <span>
#include <string_view>

namespace splitproof::server {

/// A file of contracts/profiles or contracts/names as of the build.
struct BuiltInProfile {
  std::string_view name;  ///< without .yaml
  std::string_view text;
};

/// All such files, sorted by name. built_in_profiles.py generates them.
std::span<const BuiltInProfile> built_in_profiles();
std::span<const BuiltInProfile> built_in_maps();

}  // namespace splitproof::server
