#include "harness/dialect/canary.hpp"

#include <algorithm>
#include <utility>

namespace splitproof::dialect {

std::vector<std::string> canary_pieces(std::size_t number) {
  std::vector<std::string> pieces;
  for (const char* place : {"begins", "goes on", "ends"})
    pieces.push_back("Canary " + std::to_string(number + 1) + " " + place + ". ");
  return pieces;
}

std::optional<CanaryStream> make_canary(const split::Parts& parts, std::size_t run, std::size_t number) {
  CanaryStream stream;
  stream.pieces = canary_pieces(number);
  split::Recut recut;
  for (std::size_t event = 0; event < parts.events().size(); ++event) {
    if (event == parts.runs()[run].events.front()) {
      parts.say(run, event, stream.pieces, recut);
    } else {
      recut.append(parts.events()[event]);
    }
  }
  recut = parts.settled(std::move(recut));
  stream.body = std::move(recut.body);
  stream.arrivals = std::move(recut.arrivals);
  for (std::size_t piece = 1; piece < stream.pieces.size(); ++piece) {
    const std::size_t at = stream.body.find(stream.pieces[piece]);
    const auto after = std::upper_bound(stream.arrivals.begin(), stream.arrivals.end(), at);
    if (at == stream.body.npos || after == stream.arrivals.begin()) return std::nullopt;
    stream.holds.push_back(*(after - 1));
  }
  return stream;
}

}  // namespace splitproof::dialect
