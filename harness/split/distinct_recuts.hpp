#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/split/hash_set.hpp"
#include "harness/split/plan.hpp"
#include "harness/split/recutter.hpp"
#include "harness/split/repeatable_cuts.hpp"

namespace splitproof::split {

/// Finds the recuts of one body that have different bytes. Makes only those with labels of the dialect, because the
/// pieces of the text identify the others. The recutter must outlive it. Not thread-safe.
class DistinctRecuts {
 public:
  explicit DistinctRecuts(const Recutter& recutter);

  struct Found {
    bool has_several_events;
  };

  /// Returns nullopt if the recut would not change the body, or equals a recut that it found before.
  std::optional<Found> find(const RecutName& recut);
  std::optional<Found> find(std::string_view label);

 private:
  struct Body {
    std::uint64_t hash;  // of its bytes, or of the cuts that make it
    bool has_several_events;
  };
  // A recut with a label of the dialect.
  struct Own {
    std::string body;
    Body hashed;
    std::unique_ptr<const Parts> parts;  // of `body`; taken apart at the first use
    FirstPieces first_pieces;
  };
  std::optional<Body> body_of(const RecutName& recut);
  std::optional<Body> body_of(const RunCuts& cuts);
  std::optional<Body> body_of_random(const RandomRecut& random);
  std::optional<Body> own_body(const RunCuts& cuts, std::uint64_t pieces);

  const Recutter& recutter_;
  std::vector<std::optional<Body>> own_;  // by index of the label of the dialect
  std::unordered_map<std::uint64_t, std::vector<std::unique_ptr<Own>>>
      by_pieces_;             // by the hash of the numbers of pieces in all runs
  std::uint64_t pieces_ = 0;  // hash of the numbers of pieces in the body
  HashSet known_;
  RunCuts cuts_;  // of the last recut
  std::optional<RepeatableCuts> random_;
};

/// The different recuts of a plan.
struct RecutCount {
  std::size_t bodies = 0;
  std::size_t with_several_events = 0;  ///< Of these.
};

/// Counts the different recuts that `for_each_planned` passes. Makes no labels, and few bodies.
RecutCount count_recuts(const Recutter& recutter, const PlanSettings& settings);

}  // namespace splitproof::split
