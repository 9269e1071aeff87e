#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/split/rechunker.hpp"

namespace splitproof::dialect {

/// The upstream of one stream in a trial that checks the separation of streams. Three unique pieces replace
/// the body's first piece of text.
struct CanaryStream {
  std::string body;
  std::vector<std::size_t> arrivals;  ///< End of each event.
  std::vector<std::string> pieces;    ///< Pieces of the text, in order.
  std::vector<std::size_t> holds;     ///< Before the second and the third piece.

  bool operator==(const CanaryStream&) const = default;
};

/// Returns the replacement for the first piece of text in stream `number` of a trial.
std::vector<std::string> canary_pieces(std::size_t number);

/// Returns the numbers of the streams whose pieces a text contains.
std::set<std::size_t> canaries_in(std::string_view text);

/// Returns stream `number` of a trial with the first piece of a run replaced. Returns nullopt if the
/// dialect's writing of text makes it impossible to find again.
std::optional<CanaryStream> make_canary(const split::Parts& parts, std::size_t run, std::size_t number);

}  // namespace splitproof::dialect
