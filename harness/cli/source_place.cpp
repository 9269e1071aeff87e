#include "harness/cli/source_place.hpp"

#include <filesystem>
#include <system_error>

namespace splitproof::cli {
namespace {

namespace fs = std::filesystem;

fs::path root_of_source(const fs::path& working) {
  std::error_code ignored;
  for (fs::path folder = working; folder != folder.root_path(); folder = folder.parent_path())
    if (fs::exists(folder / ".git", ignored)) return folder;
  return working;
}

}  // namespace

std::string place_in_source(const std::string& path) {
  std::error_code failed;
  const fs::path working = fs::current_path(failed);
  if (failed) return {};
  const fs::path file = (working / path).lexically_normal();
  const fs::path folder = fs::weakly_canonical(file.parent_path(), failed);
  if (failed) return {};
  const fs::path place = (folder / file.filename()).lexically_relative(root_of_source(working));
  return place.empty() || *place.begin() == ".." ? std::string() : place.string();
}

}  // namespace splitproof::cli
