#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace splitproof::server {

/// The named profiles, from the first folder with `contracts/profiles`: SPLITPROOF_DATA, then the folders above the
/// executable, as in a source tree. Otherwise the built-in profiles. The harness uses the same order, so a name means
/// the same profile in both programs.
class ProfileFiles {
 public:
  /// Fails if SPLITPROOF_DATA names a folder without contracts.
  static tl::expected<ProfileFiles, std::string> find();

  /// Returns the names, sorted.
  std::vector<std::string> names() const;

  /// Returns the path of a profile for messages; none for an unknown name.
  std::optional<std::string> path_of(std::string_view name) const;

  /// Returns the text of a file from `path_of` or of any path; an error if it cannot be read.
  tl::expected<std::string, std::string> text_of(const std::string& path) const;

  /// Compares the tool maps in `names` next to these profiles with the built-in maps. The harness reads the former.
  /// Returns the first difference or unreadable file, with its path; empty if all are equal.
  std::string problem_with_maps() const;

 private:
  explicit ProfileFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;  // empty: built in
};

}  // namespace splitproof::server
