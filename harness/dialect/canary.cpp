#include "harness/dialect/canary.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>

namespace splitproof::dialect {
namespace {

constexpr std::string_view kCanary = "Canary ";
constexpr std::array kPlaces{"begins", "goes on", "ends"};

}  // namespace

std::vector<std::string> canary_pieces(std::size_t number) {
  std::vector<std::string> pieces;
  for (const char* place : kPlaces)
    pieces.push_back(std::string(kCanary) + std::to_string(number + 1) + " " + place + ". ");
  return pieces;
}

std::set<std::size_t> canaries_in(std::string_view text) {
  std::set<std::size_t> numbers;
  for (std::size_t at = text.find(kCanary); at != text.npos; at = text.find(kCanary, at + 1)) {
    const std::string_view rest = text.substr(at + kCanary.size());
    std::size_t number = 0;
    const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (read.ec != std::errc{} || number == 0) continue;
    const std::string_view behind(read.ptr, static_cast<std::size_t>(rest.data() + rest.size() - read.ptr));
    for (const char* place : kPlaces)
      if (behind.starts_with(std::string(" ") + place)) numbers.insert(number - 1);
  }
  return numbers;
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
