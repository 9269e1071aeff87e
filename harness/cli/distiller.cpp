#include "harness/cli/distiller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "harness/cli/sources.hpp"
#include "harness/report/summary.hpp"
#include "harness/visible.hpp"

namespace splitproof::cli {
namespace {

constexpr std::size_t kShownFeatures = 3;

}  // namespace

Result<Distiller> Distiller::make() {
  auto contracts = load_contracts({});
  if (!contracts) return tl::unexpected(contracts.error());
  auto profile = load_profile("default", {});
  if (!profile) return tl::unexpected(profile.error());
  return Distiller(*std::move(contracts), *std::move(profile));
}

void Distiller::add(const std::string& path, const recording::Recording& recording) {
  candidates_.push_back({path, recording.body.size(), record::features_of(recording, contracts_, profile_)});
}

std::string Distiller::total_of(const std::vector<record::KeptRecording>& kept) const {
  std::set<std::string> features;
  for (const record::DistilCandidate& candidate : candidates_)
    features.insert(candidate.features.begin(), candidate.features.end());
  return fmt::format("kept {} of {}, with all {}", kept.size(),
                     report::counted(candidates_.size(), "recording"),
                     report::counted(features.size(), "feature"));
}

std::string features_added_by(const record::KeptRecording& kept) {
  std::string adds;
  for (std::size_t i = 0; i < std::min(kShownFeatures, kept.adds.size()); ++i)
    adds += (adds.empty() ? "" : ", ") + kept.adds[i];
  if (kept.adds.size() > kShownFeatures)
    adds += fmt::format(" and {} more", kept.adds.size() - kShownFeatures);
  return visible("adds " + (adds.empty() ? "nothing alone" : adds));
}

}  // namespace splitproof::cli
