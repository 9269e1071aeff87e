#include "harness/recording/corpus.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

namespace splitproof::recording {
namespace {

namespace fs = std::filesystem;

/// Paths of all recordings below `folder`, sorted; `failed` says why they could not all be listed.
std::vector<fs::path> find_recordings(const fs::path& folder, std::error_code& failed) {
  std::vector<fs::path> paths;
  fs::recursive_directory_iterator entry(folder, failed);
  while (!failed && entry != fs::recursive_directory_iterator()) {
    if (entry->path().filename().string().ends_with(kSuffix)) paths.push_back(entry->path());
    entry.increment(failed);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// Case ids, globs and expectation files give these characters a meaning of their own.
bool can_be_id(const std::string& id) { return id.find_first_of("?*[]#& \t\r\n'\"") == id.npos; }

}  // namespace

Corpus load_corpus(const std::vector<std::string>& folders) {
  Corpus corpus;
  std::map<std::string, Recording> by_id;
  for (const std::string& folder : folders) {
    std::error_code failed;
    const auto paths = find_recordings(folder, failed);
    if (failed) corpus.errors.push_back({"the corpus cannot be read: " + failed.message(), folder, 0, ""});
    for (const fs::path& path : paths) {
      std::string id = path.lexically_relative(folder).generic_string();
      id.resize(id.size() - kSuffix.size());
      if (!can_be_id(id)) {
        corpus.errors.push_back({"the file's name cannot be part of a case id", path.string(), 0,
                                 "rename it without space, quotes or any of ? * [ ] # &"});
        continue;
      }
      auto loaded = load(path.string());
      if (!loaded) {
        corpus.errors.push_back(std::move(loaded.error()));
        continue;
      }
      loaded->id = id;
      const auto [first, is_new] = by_id.try_emplace(id, std::move(*loaded));
      if (!is_new) {
        corpus.errors.push_back({"the id `" + id + "` is taken by " + first->second.path, path.string(), 0,
                                 "rename one of them"});
      }
    }
  }
  for (auto& [id, recording] : by_id) corpus.recordings.push_back(std::move(recording));
  return corpus;
}

}  // namespace splitproof::recording
