#pragma once

#include <cstdint>

#include "proxy/request/asked.hpp"

namespace splitproof::request {

enum class ToolChoice : std::uint8_t { native, emulate };
enum class EnvironmentRule : std::uint8_t { leave, lift };
enum class Preamble : std::uint8_t { none, pr54 };
enum class Retention : std::uint8_t { as_sent, structured };

/// Changes to a request that a proxy promises besides translation; none by default.
struct Reshaping {
  ToolChoice tool_choice = ToolChoice::native;
  EnvironmentRule environment = EnvironmentRule::leave;
  Preamble preamble = Preamble::none;
  Retention retention = Retention::as_sent;

  /// True if relaying a request unchanged would break a promise.
  bool any() const { return *this != Reshaping(); }

  bool operator==(const Reshaping&) const = default;
};

/// Applies the changes with the upstream's names. `says_choice`: the request's writer expresses the choice of tools in
/// words itself.
void reshape(const Reshaping& how, bool says_choice, Asked& asked);

}  // namespace splitproof::request
