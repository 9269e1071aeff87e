#include "harness/campaign/fault.hpp"

#include <array>
#include <charconv>
#include <optional>

#include "harness/split/random_cuts.hpp"

namespace splitproof::campaign {
namespace {

using Kind = Fault::Kind;

constexpr std::array<std::string_view, 4> kNames = {"close", "reset", "stall", "flip"};
constexpr std::uint8_t kHighestBit = 0x80;

template <class Number>
std::optional<Number> number(std::string_view text, int base) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Fault> read(std::string_view label) {
  const std::size_t at = label.find('@');
  if (at == std::string_view::npos) return std::nullopt;
  for (std::size_t kind = 0; kind < kNames.size(); ++kind) {
    if (label.substr(0, at) != kNames[kind]) continue;
    std::string_view rest = label.substr(at + 1);
    Fault fault{static_cast<Kind>(kind), 0, 0};
    if (fault.kind == Kind::flip) {
      const std::size_t colon = rest.find(':');
      if (colon == std::string_view::npos) return std::nullopt;
      const auto flips = number<std::uint8_t>(rest.substr(colon + 1), 16);
      if (!flips || *flips == 0) return std::nullopt;
      fault.flips = *flips;
      rest = rest.substr(0, colon);
    }
    const auto offset = number<std::size_t>(rest, 10);
    if (!offset) return std::nullopt;
    fault.at = *offset;
    return fault;
  }
  return std::nullopt;
}

}  // namespace

std::string label(const Fault& fault) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string text(kNames[static_cast<std::size_t>(fault.kind)]);
  text += "@" + std::to_string(fault.at);
  if (fault.kind == Kind::flip) ((text += ':') += kHex[fault.flips >> 4]) += kHex[fault.flips & 15];
  return text;
}

Result<Fault> parse_fault(std::string_view text) {
  const auto fault = read(text);
  if (fault && label(*fault) == text) return *fault;
  return tl::unexpected(
      Error{"there is no fault '" + std::string(text) + "'",
            {},
            0,
            "it is close@N, reset@N, stall@N or flip@N:XX, XX being the bits in hexadecimal"});
}

Result<void> apply(const Fault& fault, std::string& body, recording::End& end) {
  const std::size_t last = fault.kind == Kind::flip ? body.size() - 1 : body.size();
  if (fault.at > last || (fault.kind == Kind::flip && body.empty())) {
    return tl::unexpected(
        Error{"fault " + label(fault) + " is outside a body of " + std::to_string(body.size()) + " bytes",
              {},
              0,
              {}});
  }
  switch (fault.kind) {
    case Kind::flip:
      body[fault.at] = static_cast<char>(static_cast<unsigned char>(body[fault.at]) ^ fault.flips);
      return {};
    case Kind::close:
      end = recording::End::closed;
      break;
    case Kind::reset:
      end = recording::End::reset;
      break;
    case Kind::stall:
      end = recording::End::stall;
      break;
  }
  body.resize(fault.at);
  return {};
}

std::vector<Fault> plan_faults(std::size_t size, std::uint64_t seed) {
  std::vector<Fault> faults;
  faults.reserve(5 * size + 3);
  split::SplitMix64 random(seed);
  for (std::size_t at = 0; at <= size; ++at) {
    for (const Kind kind : {Kind::close, Kind::reset, Kind::stall}) faults.push_back({kind, at, 0});
    if (at == size) break;
    faults.push_back({Kind::flip, at, kHighestBit});
    faults.push_back({Kind::flip, at, static_cast<std::uint8_t>(1U << random.below(7))});
  }
  return faults;
}

}  // namespace splitproof::campaign
