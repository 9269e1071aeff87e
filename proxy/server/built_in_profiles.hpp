#pragma once

#include <span>
#include <string_view>

namespace splitproof::server {

/// A file of contracts/profiles, or of contracts/names, as it was when the program was built.
struct BuiltInProfile {
  std::string_view name;  ///< without .yaml
  std::string_view text;
};

/// All of them, by name. built_in_profiles.py writes this.
std::span<const BuiltInProfile> built_in_profiles();
std::span<const BuiltInProfile> built_in_maps();

}  // namespace splitproof::server
