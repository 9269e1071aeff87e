#include "harness/campaign/fault.hpp"

#include <array>
#include <charconv>
#include <optional>

#include "harness/campaign/upstream.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/split/random_cuts.hpp"

namespace splitproof::campaign {
namespace {

using Kind = Fault::Kind;

constexpr std::array<std::string_view, 5> kNames = {"close", "reset", "stall", "flip", "leave"};
constexpr std::string_view kStatus = "status:";
constexpr std::array<int, 10> kStatuses = {400, 401, 403, 404, 413, 429, 500, 502, 503, 529};
constexpr std::uint8_t kHighestBit = 0x80;

template <class Number>
std::optional<Number> number(std::string_view text, int base) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Fault> read(std::string_view label) {
  if (label.starts_with(kStatus)) {
    const auto status = number<int>(label.substr(kStatus.size()), 10);
    if (!status || *status < 400 || *status > 599) return std::nullopt;
    return Fault{Kind::status, 0, 0, *status};
  }
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

void answer_with(int status, std::string_view protocol, Upstream& upstream) {
  const dialect::Dialect* dialect = dialect::find(protocol);
  upstream.status = status;
  upstream.body = dialect ? dialect->refusal(status) : dialect::Dialect().refusal(status);
  upstream.end = recording::End::complete;
}

}  // namespace

std::string label(const Fault& fault) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  if (fault.kind == Kind::status) return std::string(kStatus) + std::to_string(fault.status);
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
            "use close@N, reset@N, stall@N, leave@N, flip@N:XX with the bits in hexadecimal, or "
            "status:CODE with a code from 400 to 599"});
}

Result<void> apply(const Fault& fault, std::string_view protocol, Upstream& upstream) {
  std::string& body = upstream.body;
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
    case Kind::leave:
      upstream.leave_at = fault.at;
      return {};
    case Kind::status:
      answer_with(fault.status, protocol, upstream);
      return {};
    case Kind::close:
      upstream.end = recording::End::closed;
      break;
    case Kind::reset:
      upstream.end = recording::End::reset;
      break;
    case Kind::stall:
      upstream.end = recording::End::stall;
      break;
  }
  body.resize(fault.at);
  return {};
}

std::vector<Fault> plan_faults(std::size_t size, std::uint64_t seed) {
  std::vector<Fault> faults;
  const std::size_t places = size > kMostFaultyEverywhere ? kFaultPlaces : size;
  faults.reserve(5 * places + 3);
  split::SplitMix64 random(seed);
  for (std::size_t place = 0; place <= places; ++place) {
    const std::size_t at = places == size ? place : place * size / places;
    for (const Kind kind : {Kind::close, Kind::reset, Kind::stall}) faults.push_back({kind, at, 0});
    if (at == size) break;
    faults.push_back({Kind::flip, at, kHighestBit});
    faults.push_back({Kind::flip, at, static_cast<std::uint8_t>(1U << random.below(7))});
  }
  return faults;
}

std::vector<Fault> plan_http_faults(std::size_t size, const split::Cuts& event_ends) {
  std::vector<std::size_t> places{0};
  places.insert(places.end(), event_ends.begin(), event_ends.end());
  if (size > 0) places.push_back(size);
  std::vector<Fault> faults;
  for (const std::size_t at : places) {
    for (const Kind kind : {Kind::close, Kind::reset}) faults.push_back({kind, at, 0});
  }
  if (!event_ends.empty()) faults.push_back({Kind::leave, event_ends[event_ends.size() / 2], 0});
  return faults;
}

std::vector<Fault> plan_statuses() {
  std::vector<Fault> faults;
  faults.reserve(kStatuses.size());
  for (const int status : kStatuses) faults.push_back({Kind::status, 0, 0, status});
  return faults;
}

}  // namespace splitproof::campaign
