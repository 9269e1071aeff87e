#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::contract {

/// The values that each knob may have.
using KnobValues = std::map<std::string, std::vector<std::string>>;

/// The answers to contested questions: which of several defensible behaviours a testee is held to.
struct Profile {
  std::string name;
  std::map<std::string, std::string> knobs;  ///< with those of what it extends
  KnobValues values = {};  ///< what they may be instead; a knob that is free is not among them
  std::vector<std::string> upstreams =
      {};                           ///< the protocols that it is made for, the usual one first; empty: any
  std::string upstreams_file = {};  ///< the file that names them, and where
  std::size_t upstreams_line = 0;

  bool operator==(const Profile&) const = default;
};

/// Whether what is asked for is a file, by its path, and no profile that is looked for by its name.
bool names_profile_file(std::string_view name_or_file);

/// Loads a profile file:
///
///   profile: NAME
///   extends: default        # optional; found beside this file, or else as a name
///   upstreams: [PROTOCOL]   # optional; what it is made for, else what that which it extends is made for
///   values: {KNOB: [VALUE]} # optional; the values that knobs of one's own may have
///   knobs: {KNOB: VALUE}    # override those of what it extends
///
/// A knob has to be declared, and its value listed, under `values` of the file itself, of one that it extends, or
/// of the `default` of the contract folders; each knob in one of them only. Where none of these declares
/// anything, knobs are free.
///
/// `name_or_file` is a file where it contains '/' or ends in ".yaml"; otherwise `profiles/NAME.yaml` is
/// looked for in each of the contract folders `dirs`, in order. An Error names the file, the line and how to
/// fix it.
Result<Profile> load_profile(std::string_view name_or_file, const std::vector<std::filesystem::path>& dirs);

/// The values that `profiles/default.yaml` in the first of `dirs` that has one declares. Throws Mistake.
KnobValues default_values(const std::vector<std::filesystem::path>& dirs);

/// Throws Mistake at `line` unless `known` has the knob with that value.
void check_value(const KnobValues& known, const std::string& knob, const std::string& value,
                 std::size_t line);

/// The names of the profiles in `profiles/` of each of `dirs`, sorted.
std::vector<std::string> profile_names(const std::vector<std::filesystem::path>& dirs);

}  // namespace splitproof::contract
