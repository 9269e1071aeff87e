#include "harness/recording/corpus.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "harness/built_in.hpp"
#include "harness/visible.hpp"

namespace splitproof::recording {
namespace {

namespace fs = std::filesystem;

bool is_one(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(kSuffix) || name.ends_with(kRequestSuffix);
}

/// Appends the paths of all recordings and requests below `folder`. An unreadable folder affects only itself.
void find_recordings(const fs::path& folder, std::vector<fs::path>& paths, std::vector<Error>& errors) {
  for (const fs::path& path : built_in_files(folder))
    if (is_one(path)) paths.push_back(path);
  if (is_built_in(folder)) return;
  std::error_code failed;
  fs::directory_iterator entry(folder, failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    std::error_code ignored;
    if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
      find_recordings(entry->path(), paths, errors);
    } else if (is_one(entry->path()) && !fs::is_other(entry->status(ignored))) {
      paths.push_back(entry->path());
    }
  }
  if (failed) errors.push_back({"the folder cannot be read: " + failed.message(), folder.string(), 0, ""});
}

}  // namespace

bool can_be_id(std::string_view id) {
  return !id.empty() && id.front() != '-' && id.find_first_of("?*[]#& '\"") == id.npos && visible(id) == id;
}

Corpus load_corpus(const std::vector<std::string>& folders,
                   const std::function<bool(const std::string& id)>& wanted) {
  Corpus corpus;
  std::map<std::string, Recording> by_id;
  for (const std::string& folder : folders) {
    std::vector<fs::path> paths;
    find_recordings(folder, paths, corpus.errors);
    std::sort(paths.begin(), paths.end());
    for (const fs::path& path : paths) {
      std::string id = path.lexically_relative(folder).generic_string();
      const bool is_request = id.ends_with(kRequestSuffix);
      id.resize(id.size() - (is_request ? kRequestSuffix : kSuffix).size());
      if (!can_be_id(id)) {
        corpus.errors.push_back(
            {"the file's name cannot be part of a case id", path.string(), 0, kNameOfRecording});
        continue;
      }
      if (is_request) {
        corpus.requests.push_back({id, path.string()});
        continue;
      }
      if (wanted && !wanted(id)) continue;
      auto loaded = load(path.string());
      if (!loaded) {
        corpus.errors.push_back(std::move(loaded.error()));
        continue;
      }
      loaded->id = id;
      const auto [first, is_new] = by_id.try_emplace(id, std::move(*loaded));
      if (!is_new) {
        corpus.errors.push_back({"the id `" + id + "` is also the id of " + first->second.path, path.string(),
                                 0, "rename one of them"});
      }
    }
  }
  for (auto& [id, recording] : by_id) corpus.recordings.push_back(std::move(recording));
  return corpus;
}

}  // namespace splitproof::recording
