#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::contract {

/// The answers to contested questions: which of several defensible behaviours a testee is held to.
struct Profile {
  std::string name;
  std::map<std::string, std::string> knobs;  ///< with those of what it extends

  bool operator==(const Profile&) const = default;
};

/// Loads a profile file:
///
///   profile: NAME
///   extends: default        # optional; found beside this file, or else as a name
///   knobs: {KNOB: VALUE}    # override those of what it extends
///
/// `name_or_file` is a file where it contains '/' or ends in ".yaml"; otherwise `profiles/NAME.yaml` is
/// looked for in each of the contract folders `dirs`, in order. An Error names the file, the line and how to
/// mend it.
Result<Profile> load_profile(std::string_view name_or_file, const std::vector<std::filesystem::path>& dirs);

/// The names of the profiles in `profiles/` of each of `dirs`, sorted.
std::vector<std::string> profile_names(const std::vector<std::filesystem::path>& dirs);

}  // namespace splitproof::contract
