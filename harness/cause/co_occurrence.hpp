#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/cause/behaviour_sample.hpp"

namespace splitproof::cause {

/// In which recordings, as they arrived, signs show, and in which their rules were asked. Of those with an answer that many
/// have nothing is counted.
class CoOccurrence {
 public:
  CoOccurrence(const std::vector<BehaviourSample>& items, const ViolationKinds& signs);

  std::size_t items() const { return items_; }           ///< that arrived so
  std::size_t count(std::size_t sign) const;             ///< of these: those that show it
  std::size_t both(std::size_t a, std::size_t b) const;  ///< of these: those that show both

  /// Whether it shows in three of five recordings that could show it, in three of ten of all, and in 20 or more. What
  /// shows beside it says nothing of it.
  bool stands(std::size_t sign) const;

  /// Whether it shows in three recordings or more, and in four of five that could show it.
  bool is_constant(std::size_t sign) const;

  /// Whether `b` hardly shows without `a`, and `a` shows more often; of two that always show together the first.
  bool is_inside(std::size_t b, std::size_t a) const;

  /// Whether `b` comes with `a`, and hardly without: it shows in four of five recordings that show `a` and could show `b`,
  /// and in the others that could at most 0.6 times as often. Where fewer than three others could there is nothing to
  /// compare with.
  bool comes_with(std::size_t b, std::size_t a) const;

 private:
  using Bits = std::vector<std::uint64_t>;
  struct Seen {
    Bits shows;
    Bits asked;
  };
  std::vector<Seen> seen_;  // by sign
  std::size_t items_ = 0;
};

}  // namespace splitproof::cause
