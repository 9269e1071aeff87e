#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::contract {

/// The allowed values of each knob.
using KnobValues = std::map<std::string, std::vector<std::string>>;

/// The answers to contested questions: they select among several defensible behaviours.
struct Profile {
  std::string name;
  std::map<std::string, std::string> knobs;  ///< including inherited ones
  KnobValues values = {};                    ///< allowed values; omits free knobs
  std::vector<std::string> upstreams = {};   ///< protocols it is made for, the usual one first; empty: any
  std::string upstreams_file = {};           ///< file that names them, and its line
  std::size_t upstreams_line = 0;

  bool operator==(const Profile&) const = default;
};

/// True if the argument is a path of a profile file, not a profile name.
bool names_profile_file(std::string_view name_or_file);

/// Loads a profile file:
///
///   profile: NAME
///   extends: default        # optional; a file next to this one, or a name
///   upstreams: [PROTOCOL]   # optional; its protocols; inherited if missing
///   values: {KNOB: [VALUE]} # optional; allowed values of additional knobs
///   knobs: {KNOB: VALUE}    # override inherited ones
///
/// A knob and its value must be listed under `values` of this file, of a file that it extends, or of
/// `default` in the contract folders. Only one of them may declare a knob. If none declares any, knobs are
/// free.
///
/// `name_or_file` is a file if it contains '/' or ends in ".yaml". Otherwise `profiles/NAME.yaml` is searched
/// for in the contract folders `dirs`, in order. The Error names the file, the line and a fix.
Result<Profile> load_profile(std::string_view name_or_file, const std::vector<std::filesystem::path>& dirs);

/// Returns the values declared by `profiles/default.yaml` in the first of `dirs` that has one. Throws
/// Mistake.
KnobValues default_values(const std::vector<std::filesystem::path>& dirs);

/// Throws Mistake at `line` unless `known` has the knob with that value.
void check_value(const KnobValues& known, const std::string& knob, const std::string& value,
                 std::size_t line);

/// Returns the names of the profiles in `profiles/` of each of `dirs`, sorted.
std::vector<std::string> profile_names(const std::vector<std::filesystem::path>& dirs);

}  // namespace splitproof::contract
