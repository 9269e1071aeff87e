#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "harness/split/recutter.hpp"

namespace splitproof::split {

/// Finds the recuts of one body that have different bytes. Makes only those with labels of the dialect, because the
/// pieces of the text identify the others. Dealer and body must outlive it.
class DistinctRecuts {
 public:
  DistinctRecuts(const Rechunker& dealer, std::string_view body);

  struct Found {
    bool has_several_events;
  };

  /// Makes room for so many recuts.
  void reserve(std::size_t recuts) { known_.reserve(recuts); }

  /// Returns nullopt if the recut with this label would not change the body, or equals a recut that it found before.
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
  std::optional<Body> body_of(const RunCuts& cuts);
  std::optional<Body> body_of(const OwnRecut& own);
  std::optional<Body> body_of(const RandomRecut& random);
  std::uint64_t hash_of_pieces(const RunCuts& cuts) const;
  bool has_several_events(const RunCuts& cuts) const;

  const Recutter recutter_;
  std::unordered_map<std::string, Body> by_label_;  // of the dialect
  std::unordered_map<std::uint64_t, std::vector<std::unique_ptr<Own>>>
      by_pieces_;  // by the numbers of pieces of all runs
  std::unordered_set<std::uint64_t> known_;
};

}  // namespace splitproof::split
