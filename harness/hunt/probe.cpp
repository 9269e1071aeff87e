#include "harness/hunt/probe.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "harness/campaign/case_lab.hpp"
#include "harness/campaign/further_turn.hpp"
#include "harness/campaign/runner.hpp"
#include "harness/fnv1a.hpp"
#include "harness/hunt/shape.hpp"

namespace splitproof::hunt {

Feature feature_of_shape(const std::string& shape) { return fnv1a("shape " + shape); }

// The cases of one recording, or of a further turn. The last two arguments are those of CaseLab.
struct CaseProbe::Lab {
  Lab(CaseProbe& probe, const recording::Recording& recording,
      std::shared_ptr<const observe::Answer> answered = nullptr,
      std::shared_ptr<const campaign::StreamedCounterpart> streamed = nullptr)
      : runner(probe.target_, recording),
        lab(
            probe.contracts_, probe.profile_, probe.target_.traits(), recording,
            [this, &probe](const results::Upstream&, const testee::Exchange& exchange) {
              // The case is the last exchange, after the baselines. Only its places count.
              if (probe.coverage_ != nullptr) (void)probe.coverage_->take();
              return runner.run(one, exchange);
            },
            std::move(answered), std::move(streamed)) {}

  campaign::Case one;
  campaign::Runner runner;
  campaign::CaseLab lab;
};

CaseProbe::CaseProbe(const testee::Testee& target, const contract::Contracts& contracts,
                     const contract::Profile& profile,
                     const std::vector<const recording::Recording*>& recordings, Signal signal)
    : claim_(target),
      target_(claim_.instance()),
      contracts_(contracts),
      profile_(profile),
      coverage_(signal == Signal::coverage ? target_.coverage() : nullptr) {
  for (const recording::Recording* recording : recordings) recordings_.emplace(recording->id, recording);
}

CaseProbe::~CaseProbe() = default;

CaseProbe::Lab& CaseProbe::lab_of(const std::string& recording) {
  std::unique_ptr<Lab>& lab = labs_[recording];
  if (lab == nullptr) lab = std::make_unique<Lab>(*this, *recordings_.at(recording));
  return *lab;
}

Result<void> CaseProbe::add_places(Reached& reached) {
  if (coverage_ == nullptr) return {};
  const auto places = coverage_->take();
  const auto lost = [this](Error error) {
    lost_ = true;
    return tl::unexpected(std::move(error));
  };
  if (!places) return lost(places.error());
  if (places->empty() && !any_place_)
    return lost(
        {"target " + target_.name() + " declares coverage, and the first case reached no place of its code",
         {},
         0,
         "check which files it covers, or remove coverage from the target file"});
  any_place_ = true;
  for (const std::uint32_t place : *places) {
    const auto [known, is_new] = places_.try_emplace(place, 0);
    if (is_new) known->second = fnv1a(coverage_->name(place));
    reached.features.push_back(known->second);
  }
  return {};
}

void CaseProbe::add_shape(const std::string& shape, Reached& reached) {
  const Feature feature = feature_of_shape(shape);
  behaviours_.try_emplace(feature, shape);
  reached.features.push_back(feature);
}

Result<Reached> CaseProbe::run(const campaign::Case& one) {
  Lab* lab = &lab_of(one.recording);
  lab->one = one;
  Reached reached;
  std::optional<campaign::FurtherTurn> turn;
  std::unique_ptr<Lab> of_turn;
  if (one.turn != campaign::Turn::first) {
    turn = campaign::further_turn(one.turn, lab->lab.judge(), lab->lab.recorded());
    if (!turn) {
      reached.applies = false;
      return reached;
    }
    of_turn = std::make_unique<Lab>(*this, turn->recording, turn->answered, turn->streamed);
    lab = of_turn.get();
    lab->one = one;
  }
  const auto judged = lab->lab.run(one);
  if (!judged) return tl::unexpected(judged.error());
  if (judged->seen.ending == testee::Ending::unavailable) {
    lost_ = true;
    return tl::unexpected(
        Error{"target " + target_.name() + " is not available: " + judged->seen.detail, {}, 0, {}});
  }
  if (const auto taken = add_places(reached); !taken) return tl::unexpected(taken.error());
  reached.violations = violations_of(judged->all);
  // Most damaged bodies have a shape of their own. With coverage, so many kept cases would hide those with new places.
  add_shape(coverage_ == nullptr ? shape_of(lab->lab.judge(), judged->seen, judged->all) : reached.violations,
            reached);
  reached.complete = judged->seen.ending == testee::Ending::complete;
  std::sort(reached.features.begin(), reached.features.end());
  reached.features.erase(std::unique(reached.features.begin(), reached.features.end()),
                         reached.features.end());
  return reached;
}

std::set<Feature> CaseProbe::places_reached() const {
  std::set<Feature> reached;
  for (const auto& [place, feature] : places_) reached.insert(feature);
  return reached;
}

std::size_t CaseProbe::places_known() const {
  return coverage_ == nullptr ? 0 : std::max(coverage_->known().size(), places_.size());
}

std::vector<std::string> CaseProbe::unreached() const {
  std::vector<std::string> names;
  if (coverage_ == nullptr) return names;
  for (const std::uint32_t place : coverage_->known())
    if (!places_.contains(place)) names.push_back(coverage_->name(place));
  return names;
}

std::string CaseProbe::name(Feature feature) const {
  if (const auto shape = behaviours_.find(feature); shape != behaviours_.end()) return shape->second;
  for (const auto& [place, known] : places_)
    if (known == feature) return coverage_->name(place);
  return {};
}

}  // namespace splitproof::hunt
