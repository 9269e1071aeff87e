#include "harness/cli/recording_files.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "harness/recording/recording.hpp"

namespace splitproof::cli {

Result<std::vector<std::string>> recording_files(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  std::filesystem::recursive_directory_iterator entry(folder, failed);
  for (; !failed && entry != std::filesystem::recursive_directory_iterator(); entry.increment(failed)) {
    const std::string path = entry->path().string();
    if (path.ends_with(recording::kSuffix)) files.push_back(path);
  }
  if (failed) return tl::unexpected(Error{"cannot read the folder: " + failed.message(), folder, 0, {}});
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace splitproof::cli
