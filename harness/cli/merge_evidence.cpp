#include "harness/cli/merge_evidence.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "harness/cli/evidence_files.hpp"
#include "harness/cli/evidence_folder.hpp"
#include "harness/cli/trial_options.hpp"
#include "harness/evidence/evidence_file.hpp"
#include "harness/evidence/evidence_name.hpp"
#include "harness/evidence/merge.hpp"
#include "harness/read_file.hpp"
#include "harness/write_file.hpp"

namespace splitproof::cli {
namespace {

namespace fs = std::filesystem;

using evidence::Manifest;

std::string at(const std::string& folder, std::string_view path) {
  return (fs::path(folder) / path).string();
}

// Returns the paths of the files in and below `folder` whose names end like this, sorted.
Result<std::vector<std::string>> files_below(const std::string& folder, std::string_view ending) {
  std::vector<std::string> found;
  std::error_code failed;
  for (fs::recursive_directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed))
    if (it->path().filename().string().ends_with(ending)) found.push_back(it->path().string());
  if (failed) return tl::unexpected(Error{"cannot be read: " + failed.message(), folder, 0, {}});
  std::sort(found.begin(), found.end());
  return found;
}

// Checks the evidence in and below a folder against its manifests. A folder may have reports only.
Result<void> check_evidence(const std::string& folder, bool has_manifest) {
  const auto files = files_below(folder, evidence::kSuffix);
  if (!files) return tl::unexpected(files.error());
  if (!has_manifest && files->empty()) return {};
  if (const auto checked = find_evidence({folder}); !checked) return tl::unexpected(checked.error());
  if (has_manifest) return {};
  return tl::unexpected(Error{"has only some of a run's evidence", folder, 0,
                              "name the folder that has the " + std::string(evidence::kManifest)});
}

// A manifest can name any path. Only those that a run writes are opened.
Result<void> check_paths(const Manifest& manifest, const std::string& path) {
  for (const Manifest::File& file : manifest.files) {
    if (file.path == evidence::evidence_name(file.target, file.recording, file.round == "statuses")) continue;
    return tl::unexpected(Error{"the manifest lists '" + file.path +
                                    "', and splitproof run never writes the evidence of " + file.recording +
                                    " with " + file.target + " to this file",
                                path, 0, "leave out the folder, or run again"});
  }
  return {};
}

// A file of evidence in one of the folders.
struct PlacedFile {
  std::string path;
  const Manifest::File* file;
};

// Returns one of the files with the same content.
std::vector<PlacedFile> distinct(const std::vector<PlacedFile>& files) {
  std::vector<PlacedFile> some;
  std::set<std::pair<std::string, std::size_t>> known;
  for (const PlacedFile& one : files)
    if (known.emplace(one.file->digest, one.file->bytes).second) some.push_back(one);
  return some;
}

Result<Manifest::File> write_whole(const std::vector<PlacedFile>& files, const std::string& folder) {
  Manifest::File whole = *files.front().file;
  const std::string path = at(folder, whole.path);
  std::vector<evidence::PlacedEvidence> parts;
  for (const PlacedFile& one : files) {
    auto loaded = evidence::load(one.path);
    if (!loaded) return tl::unexpected(loaded.error());
    parts.push_back({one.path, *std::move(loaded)});
  }
  const auto merged = evidence::merge(std::move(parts));
  if (!merged) return tl::unexpected(merged.error());
  const auto text = evidence::to_text(*merged);
  if (!text) return tl::unexpected(text.error());
  std::error_code failed;
  fs::create_directories(fs::path(path).parent_path(), failed);
  if (const auto written = write_file(path, *text); !written) return tl::unexpected(written.error());
  whole.cases = 0;
  for (const evidence::StoredExchange& exhibit : merged->exhibits) whole.cases += exhibit.cases;
  whole.bytes = text->size();
  whole.digest = evidence::digest_of(*text);
  return whole;
}

// Checks that no file of the folder would be mixed with the joined evidence.
Result<void> check_output(const EvidenceParts& parts, const std::string& folder) {
  std::error_code failed;
  const fs::path out = fs::weakly_canonical(fs::absolute(folder), failed);
  for (const std::string& part : parts.folders) {
    const fs::path in = fs::weakly_canonical(fs::absolute(part), failed);
    for (const auto& [inner, outer] : {std::pair(in, out), std::pair(out, in)}) {
      if (std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first != outer.end())
        continue;
      return tl::unexpected(Error{"is, has or is in " + part + ", which is one of the folders to merge",
                                  folder, 0, "name a folder outside of them"});
    }
  }
  if (!fs::exists(out, failed)) return {};
  const auto known = files_below(folder, evidence::kSuffix);
  if (!known) return tl::unexpected(known.error());
  if (known->empty()) return {};
  return tl::unexpected(Error{"already has evidence: " + known->front(), folder, 0, "name an empty folder"});
}

}  // namespace

Result<EvidenceParts> find_evidence_parts(const std::vector<std::string>& paths) {
  EvidenceParts parts;
  std::vector<evidence::PlacedManifest> manifests;
  for (const std::string& path : paths) {
    std::error_code failed;
    if (!fs::is_directory(path, failed)) continue;
    const auto below = files_below(path, evidence::kManifest);
    if (!below) return tl::unexpected(below.error());
    for (const std::string& manifest_path : *below) {
      auto manifest = read_file(manifest_path).and_then([&](const std::string& text) {
        return evidence::parse_manifest(text, manifest_path);
      });
      if (!manifest) return tl::unexpected(manifest.error());
      if (const auto checked = check_paths(*manifest, manifest_path); !checked)
        return tl::unexpected(checked.error());
      parts.folders.push_back(fs::path(manifest_path).parent_path().string());
      parts.manifests.push_back(*manifest);
      manifest->files.clear();
      if (manifest->of == 0) manifest->options = common_trial_options(manifest->options);
      manifests.push_back({manifest_path, *std::move(manifest)});
    }
    if (const auto checked = check_evidence(path, !below->empty()); !checked)
      return tl::unexpected(checked.error());
  }
  if (manifests.empty()) {
    return tl::unexpected(
        Error{"has no evidence of a finished run, which has a " + std::string(evidence::kManifest),
              paths.front(), 0, "name folders that run --evidence wrote"});
  }
  auto whole = evidence::merge(manifests);
  if (!whole) return tl::unexpected(whole.error());
  parts.whole = *std::move(whole);
  return parts;
}

Result<JoinedEvidence> join_evidence(const EvidenceParts& parts, const std::string& folder) {
  if (const auto checked = check_output(parts, folder); !checked) return tl::unexpected(checked.error());
  if (const auto made = EvidenceFolder::make(folder); !made) return tl::unexpected(made.error());
  std::map<std::string, std::vector<PlacedFile>> files;  // by path in their folders
  for (std::size_t i = 0; i < parts.folders.size(); ++i)
    for (const Manifest::File& file : parts.manifests[i].files)
      files[file.path].push_back({at(parts.folders[i], file.path), &file});
  Manifest whole = parts.whole;
  JoinedEvidence joined;
  for (const auto& [path, same] : files) {
    auto file = write_whole(distinct(same), folder);
    if (!file) return tl::unexpected(file.error());
    ++joined.files;
    joined.cases += file->cases;
    whole.files.push_back(*std::move(file));
  }
  const auto written = write_file(at(folder, evidence::kManifest), to_text(whole));
  if (!written) return tl::unexpected(written.error());
  return joined;
}

}  // namespace splitproof::cli
