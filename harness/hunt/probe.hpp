#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/campaign/case.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/coverage/coverage.hpp"
#include "harness/recording/recording.hpp"
#include "harness/result.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::hunt {

/// Something that a case reached, as a hash of its name: a place of the target's code, a set of violated rules, or a shape of
/// behaviour. It is the same in every run and on every machine.
using Feature = std::uint64_t;

/// Returns the feature of a shape of behaviour.
Feature feature_of_shape(const std::string& shape);

/// Result of one case.
struct Reached {
  std::vector<Feature> features;  ///< Ascending, without duplicates.
  std::string violations;         ///< The violated rules (shape.hpp); empty: none.
  bool complete = true;           ///< The whole answer came.
  bool applies = true;            ///< false: the target's answer allows no such turn, so nothing ran.
};

/// What a probe reads of a target.
enum class Signal : std::uint8_t {
  coverage,  ///< Its coverage, or shapes if it has none.
  shapes,    ///< Only shapes of its behaviour.
};

/// Runs single cases with one target, and returns what they reached. With coverage, the
/// features of a case are its places and its set of violated rules. Without coverage, its only feature is its shape.
class CaseProbe {
 public:
  /// The references must outlive the probe. The target must have been started. All cases are of these `recordings`.
  CaseProbe(const testee::Testee& target, const contract::Contracts& contracts,
            const contract::Profile& profile, const std::vector<const recording::Recording*>& recordings,
            Signal signal = Signal::coverage);
  ~CaseProbe();

  /// Runs a case. The Error says that the recording has no such case, that the target was lost, or which coverage was
  /// expected and did not come.
  Result<Reached> run(const campaign::Case& one);

  /// True if the Error of run() was about the target.
  bool is_lost() const { return lost_; }

  /// True if the target reports the places of its code that it reaches.
  bool has_coverage() const { return coverage_ != nullptr; }

  /// True if both read the same counters, so that only one of them may run cases at a time.
  bool shares_coverage(const CaseProbe& other) const {
    return has_coverage() && coverage_ == other.coverage_;
  }

  /// Returns the places of its code that were reached, and the number of known places.
  std::set<Feature> places_reached() const;
  std::size_t places_known() const;

  /// Returns the names of known places that no case reached.
  std::vector<std::string> unreached() const;

  /// Returns the name of a feature that this probe has seen.
  std::string name(Feature feature) const;

 private:
  struct Lab;
  Lab& lab_of(const std::string& recording);
  Result<void> add_places(Reached& reached);
  void add_shape(const std::string& shape, Reached& reached);

  const testee::InstanceClaim claim_;
  const testee::Testee& target_;
  const contract::Contracts& contracts_;
  const contract::Profile& profile_;
  coverage::Coverage* const coverage_;
  std::map<std::string, const recording::Recording*> recordings_;
  std::map<std::string, std::unique_ptr<Lab>> labs_;
  std::map<std::uint32_t, Feature> places_;
  std::map<Feature, std::string> behaviours_;
  bool any_place_ = false;
  bool lost_ = false;
};

}  // namespace splitproof::hunt
