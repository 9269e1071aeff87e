#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/answer.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/stable_blocks.hpp"
#include "harness/observe/stable_identity.hpp"
#include "harness/observe/stable_paths.hpp"
#include "harness/observe/stable_stops.hpp"

namespace splitproof::observe {

/// Text removal that a profile requires for the prose of one part, with its parameters.
struct TextFilters {
  Choices choices;
  std::string model;               ///< Model that the client requested.
  std::vector<std::string> stops;  ///< Stop sequences.
};

/// Settled prose of one part of the client's answer while it grows, after all filters in order. Each filter
/// reads the settled output of the previous one. Without removal, bytes are counted and not kept.
class StableText {
 public:
  explicit StableText(PartKind kind) : kind_(kind) {}

  /// Takes the next bytes. `filters` must be the same in all calls for a part.
  void take(std::string_view piece, const TextFilters& filters);

  /// Returns the number of settled bytes. After a stop, the whole answer has no more.
  std::size_t settled() const { return settled_; }
  bool stopped() const { return stopped_; }

  /// Settles the rest, with the result of the filters for whole texts.
  void end(const TextFilters& filters);

  PartKind kind() const { return kind_; }

 private:
  PartKind kind_;
  std::string said_;
  std::string without_paths_;
  std::string renamed_;
  std::string without_blocks_;
  StablePaths paths_;
  StableIdentity identity_;
  StableBlocks blocks_;
  StableStops stops_;
  std::size_t settled_ = 0;
  bool stopped_ = false;
};

}  // namespace splitproof::observe
