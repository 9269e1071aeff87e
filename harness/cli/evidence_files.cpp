#include "harness/cli/evidence_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace splitproof::cli {
namespace {

namespace fs = std::filesystem;

// A target may be named by a path, and a recording by one that leads out of the folder.
std::string one_folder(const std::string& name) {
  std::string plain;
  for (const char c : name) plain += c == '/' || c == ':' ? '-' : c;
  return plain.empty() || plain == "." || plain == ".." ? "target" : plain;
}

}  // namespace

std::string evidence_path(const std::string& folder, const evidence::Evidence& evidence, bool statuses) {
  fs::path path = fs::path(folder) / one_folder(evidence.target);
  for (const fs::path& part : fs::path(evidence.recording ? evidence.recording->id : "recording"))
    if (part != ".." && part != "." && !part.has_root_directory()) path /= part;
  return path.string() + (statuses ? ".statuses" : "") + std::string(evidence::kSuffix);
}

Result<void> make_evidence_folder(const std::string& folder) {
  if (folder.empty()) return {};
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!failed && !fs::is_directory(folder, failed)) failed = std::make_error_code(std::errc::not_a_directory);
  if (!failed && access(folder.c_str(), W_OK | X_OK) != 0) failed = {errno, std::generic_category()};
  if (!failed) return {};
  return tl::unexpected(Error{"evidence cannot be written there: " + failed.message(), folder, 0,
                              "give --evidence another folder"});
}

Result<std::vector<std::string>> find_evidence(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    for (fs::recursive_directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
      if (it->path().string().ends_with(evidence::kSuffix)) found.push_back(it->path().string());
    }
    if (error) return tl::unexpected(Error{"cannot be read: " + error.message(), path, 0, {}});
    if (found.empty()) {
      return tl::unexpected(
          Error{"the folder has no evidence", path, 0, "files of it are *" + std::string(evidence::kSuffix)});
    }
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

}  // namespace splitproof::cli
