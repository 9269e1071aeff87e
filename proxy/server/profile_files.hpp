#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace splitproof::server {

/// The profiles that go by a name: those of `contracts/profiles` below the folder that SPLITPROOF_DATA names, else below
/// one of the folders above the executable, as in a source tree, else those that were built in. The harness looks in
/// the same order, so that one name means one profile to both.
class ProfileFiles {
 public:
  /// An error: SPLITPROOF_DATA names a folder without contracts.
  static tl::expected<ProfileFiles, std::string> find();

  /// Sorted.
  std::vector<std::string> names() const;

  /// Where the profile of that name stands, for messages; none where there is no such one.
  std::optional<std::string> path_of(std::string_view name) const;

  /// The text of a file that `path_of` gave, or that is named by its path; an error where it cannot be read.
  tl::expected<std::string, std::string> text_of(const std::string& path) const;

  /// Why the maps of tools in `names` beside these profiles, which the harness reads as they stand there, are not those
  /// that this program was built with: one is another, or cannot be read. With its path; empty: they are.
  std::string problem_with_maps() const;

 private:
  explicit ProfileFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;  // empty: built in
};

}  // namespace splitproof::server
