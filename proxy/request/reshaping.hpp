#pragma once

#include <cstdint>

#include "proxy/request/asked.hpp"

namespace splitproof::request {

enum class ToolChoice : std::uint8_t { native, emulate };
enum class EnvironmentRule : std::uint8_t { leave, lift };
enum class Preamble : std::uint8_t { none, pr54 };
enum class Retention : std::uint8_t { as_sent, structured };

/// What a proxy promises to make of a request beside translating it; nothing by default.
struct Reshaping {
  ToolChoice tool_choice = ToolChoice::native;
  EnvironmentRule environment = EnvironmentRule::leave;
  Preamble preamble = Preamble::none;
  Retention retention = Retention::as_sent;

  /// A request that is passed on as it came would break a promise.
  bool any() const { return *this != Reshaping(); }

  bool operator==(const Reshaping&) const = default;
};

/// Does so, with the names that the upstream is to get. `says_choice`: what writes the request says the choice of
/// tools in words by itself, where it is given tools.
void reshape(const Reshaping& how, bool says_choice, Asked& asked);

}  // namespace splitproof::request
