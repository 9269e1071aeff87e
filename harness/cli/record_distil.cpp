#include "harness/cli/record_distil.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>
#include <system_error>
#include <vector>

#include "harness/cli/exit_code.hpp"
#include "harness/cli/recording_files.hpp"
#include "harness/cli/sources.hpp"
#include "harness/record/distil.hpp"
#include "harness/report/summary.hpp"
#include "harness/visible.hpp"

namespace splitproof::cli {
namespace {

constexpr std::size_t kShownFeatures = 3;

// Copies a file to its place below another folder. An existing file with other content is an error.
Result<void> copy_recording(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::error_code failed;
  std::filesystem::create_directories(to.parent_path(), failed);
  if (!failed) std::filesystem::copy_file(from, to, failed);
  if (!failed) return {};
  return tl::unexpected(
      Error{"cannot be written: " + failed.message(), to.string(), 0, "name another folder with --out"});
}

std::string line_of(const std::string& id, const record::KeptRecording& kept) {
  std::string adds;
  for (std::size_t i = 0; i < std::min(kShownFeatures, kept.adds.size()); ++i)
    adds += (adds.empty() ? "" : ", ") + kept.adds[i];
  if (kept.adds.size() > kShownFeatures)
    adds += fmt::format(" and {} more", kept.adds.size() - kShownFeatures);
  return visible(fmt::format("{}  adds {}", id, adds.empty() ? "nothing alone" : adds));
}

}  // namespace

int distil_recordings(const std::string& folder, const std::string& out) {
  const auto files = recording_files(folder);
  if (!files) return complain(files.error());
  const auto contracts = load_contracts({});
  if (!contracts) return complain(contracts.error());
  const auto profile = load_profile("default", {});
  if (!profile) return complain(profile.error());
  std::vector<record::DistilCandidate> candidates;
  std::size_t unread = 0;
  for (const std::string& file : *files) {
    const auto recording = recording::load(file);
    if (!recording) {
      complain(recording.error());
      ++unread;
      continue;
    }
    candidates.push_back(
        {file, recording->body.size(), record::features_of(*recording, *contracts, *profile)});
  }
  if (candidates.empty()) {
    complain(Error{"there is no readable recording (*.rec.jsonl)", folder, 0, {}});
    return unread > 0 ? kWrongInput : kNothingSelected;
  }
  std::set<std::string> features;
  for (const record::DistilCandidate& candidate : candidates)
    features.insert(candidate.features.begin(), candidate.features.end());
  const std::vector<record::KeptRecording> kept = record::distil(candidates);
  for (const record::KeptRecording& one : kept) {
    const std::string& path = candidates[one.candidate].path;
    const auto below = std::filesystem::path(path).lexically_relative(folder);
    if (const auto copied = copy_recording(path, std::filesystem::path(out) / below); !copied)
      return complain(copied.error());
    std::cout << line_of(below.string(), one) << "\n";
  }
  std::cout << fmt::format("splitproof: kept {} of {}, with all {} features", kept.size(),
                           report::counted(candidates.size(), "recording"), features.size());
  if (unread > 0) std::cout << ", " << report::counted(unread, "file") << " not read";
  std::cout << "\n";
  return unread > 0 ? kWrongInput : kConforms;
}

}  // namespace splitproof::cli
