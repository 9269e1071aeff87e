#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// The upstream of one stream of a trial whether streams are kept apart: a body whose first piece of text is replaced by
/// three that occur nowhere else.
struct CanaryStream {
  std::string body;
  std::vector<std::size_t> arrivals;  ///< one past each event
  std::vector<std::string> pieces;    ///< of the text, in order
  std::vector<std::size_t> holds;     ///< before the second and the third piece

  bool operator==(const CanaryStream&) const = default;
};

/// What takes the place of the first piece of text in stream `number` of a trial.
std::vector<std::string> canary_pieces(std::size_t number);

/// The numbers of the streams of which a text has a piece.
std::set<std::size_t> canaries_in(std::string_view text);

/// Stream `number` of a trial, in which the first piece of a run is replaced. None where the dialect writes text so that it
/// cannot be found again.
std::optional<CanaryStream> make_canary(const split::Parts& parts, std::size_t run, std::size_t number);

}  // namespace splitproof::dialect
