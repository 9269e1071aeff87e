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

/// What a profile has a proxy take out of the prose of one part, and what that depends on.
struct TextFilters {
  Choices choices;
  std::string model;               ///< that the client asked for
  std::vector<std::string> stops;  ///< at which the answer is to end
};

/// The prose of one part of what a client is told, while it grows, and what is left of it behind all filters, in
/// their order, as far as that is settled. Each filter reads what is settled of the one before it. Where nothing is
/// taken out, bytes are counted and not kept.
class StableText {
 public:
  explicit StableText(PartKind kind) : kind_(kind) {}

  /// Takes what comes next. `filters` are the same for all of it.
  void take(std::string_view piece, const TextFilters& filters);

  /// How many bytes are settled; once it is stopped, there are no more of the whole answer.
  std::size_t settled() const { return settled_; }
  bool stopped() const { return stopped_; }

  /// Nothing more comes: all that is left of it, as the oracle of whole texts has it, is settled.
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
