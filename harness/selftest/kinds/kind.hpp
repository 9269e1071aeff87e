#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/flaw.hpp"

namespace splitproof::selftest {

using dialect::Draft;
using dialect::Effect;

/// Bodies that one kind makes of a sound one, one for each suitable place.
using ChangedBodies = std::vector<std::string>;

/// An operator and its target: a named flaw or legal variation of a stream.
struct Kind {
  std::string name;         ///< For example "cut-short@call.arguments".
  std::string_view family;  ///< The operator's table, such as "arguments".
  Effect effect = Effect::shape;
  std::string_view then;  ///< The effect on a client, in one sentence.

  /// Returns the changed bodies. Returns none if the draft has no suitable place.
  std::function<ChangedBodies(const Draft&)> make;
};

/// Returns all kinds of a protocol by family, with unique names, or none for an unknown protocol. Their
/// sources are the protocol and known faults of proxies, not the contracts.
const std::vector<Kind>& kinds_of(std::string_view protocol);

/// Returns a stream of this protocol, ready for kinds.
Draft draft_of(std::string_view protocol, std::string_view body);

}  // namespace splitproof::selftest
