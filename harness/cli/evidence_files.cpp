#include "harness/cli/evidence_files.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "harness/cli/trial_options.hpp"
#include "harness/evidence/evidence_file.hpp"
#include "harness/read_file.hpp"

namespace splitproof::cli {
namespace {

namespace fs = std::filesystem;

std::string manifest_in(const fs::path& folder) { return (folder / evidence::kManifest).string(); }

// The manifests of the folders, each read once.
class Manifests {
 public:
  // Returns the nearest folder at or above `folder` with a manifest, or an empty path.
  fs::path owner(const fs::path& folder) const {
    for (fs::path at = folder;; at = at.parent_path()) {
      std::error_code ignored;
      if (fs::is_regular_file(manifest_in(at), ignored)) return at;
      if (at == at.parent_path()) return {};
    }
  }

  Result<const evidence::Manifest*> of(const fs::path& owner) {
    if (const auto known = read_.find(owner); known != read_.end()) return &known->second;
    const std::string path = manifest_in(owner);
    auto manifest = read_file(path).and_then(
        [&](const std::string& text) { return evidence::parse_manifest(text, path); });
    if (!manifest) return tl::unexpected(manifest.error());
    if (!are_trial_options(manifest->options))
      return tl::unexpected(
          Error{"the manifest has options that splitproof run never writes: '" + manifest->options + "'",
                path, 0, "run again, or name the evidence files one by one"});
    return &read_.emplace(owner, std::move(*manifest)).first->second;
  }

  std::vector<evidence::Manifest> all() && {
    std::vector<evidence::Manifest> all;
    for (auto& [owner, manifest] : read_) all.push_back(std::move(manifest));
    return all;
  }

 private:
  std::map<fs::path, evidence::Manifest> read_;
};

Result<void> check_file(const std::string& path, const evidence::Manifest::File* told,
                        const fs::path& owner) {
  if (told == nullptr) {
    return tl::unexpected(Error{"is not listed in " + manifest_in(owner) + ", so it belongs to another run",
                                path, 0, "move it away, or name it separately; use one folder for each run"});
  }
  const Result<std::string> bytes = read_file(path);
  if (!bytes) return tl::unexpected(bytes.error());
  if (bytes->size() == told->bytes && evidence::digest_of(*bytes) == told->digest) return {};
  return tl::unexpected(
      Error{"has changed since the run: its size or digest differs from " + manifest_in(owner), path, 0,
            "restore it, run again, or name the files one by one"});
}

// Returns all evidence in and below a folder, checked against its manifests.
Result<std::vector<std::string>> find_below(const std::string& folder, Manifests& manifests) {
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  std::set<std::string> found;  // below `root`
  std::set<fs::path> owners;
  for (fs::recursive_directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
    if (it->path().string().ends_with(evidence::kSuffix))
      found.insert(it->path().lexically_relative(root).string());
    if (it->path().filename() == evidence::kManifest) owners.insert(it->path().parent_path());
  }
  if (error) return tl::unexpected(Error{"cannot be read: " + error.message(), folder, 0, {}});
  if (const fs::path above = manifests.owner(root); !above.empty()) owners.insert(above);
  if (found.empty() && owners.empty()) {
    return tl::unexpected(Error{"the folder has no evidence files", folder, 0,
                                "their names end in " + std::string(evidence::kSuffix)});
  }
  const auto shown = [&](const std::string& below) { return (fs::path(folder) / below).string(); };
  for (const fs::path& owner : owners) {
    const auto manifest = manifests.of(owner);
    if (!manifest) return tl::unexpected(manifest.error());
    for (const evidence::Manifest::File& file : (*manifest)->files) {
      const std::string below = (owner / file.path).lexically_relative(root).string();
      if (below.starts_with("..") || found.count(below) > 0) continue;
      return tl::unexpected(Error{"is missing, although " + manifest_in(owner) + " lists it", shown(below), 0,
                                  "restore it, run again, or name the remaining files one by one"});
    }
  }
  std::vector<std::string> files;
  for (const std::string& below : found) {
    const fs::path path = root / below;
    const fs::path owner = manifests.owner(path.parent_path());
    if (owner.empty()) {
      return tl::unexpected(Error{
          "has no " + std::string(evidence::kManifest) +
              ", so the evidence may be incomplete: the run was interrupted, or somebody moved the files",
          folder, 0, "run again, or name the files one by one"});
    }
    const auto manifest = manifests.of(owner);
    if (!manifest) return tl::unexpected(manifest.error());
    const std::string name = path.lexically_relative(owner).generic_string();
    const auto& told = (*manifest)->files;
    const auto file =
        std::find_if(told.begin(), told.end(), [&](const auto& each) { return each.path == name; });
    const auto checked = check_file(shown(below), file == told.end() ? nullptr : &*file, owner);
    if (!checked) return tl::unexpected(checked.error());
    files.push_back(shown(below));
  }
  return files;
}

}  // namespace

Result<FoundEvidence> find_evidence(const std::vector<std::string>& paths) {
  FoundEvidence evidence;
  Manifests manifests;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      evidence.files.push_back(path);
      continue;
    }
    const auto found = find_below(path, manifests);
    if (!found) return tl::unexpected(found.error());
    evidence.files.insert(evidence.files.end(), found->begin(), found->end());
  }
  evidence.manifests = std::move(manifests).all();
  return evidence;
}

}  // namespace splitproof::cli
