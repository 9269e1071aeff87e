#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/flaw.hpp"

namespace splitproof::selftest {

using dialect::Draft;
using dialect::Effect;

/// Every body that one kind makes of a sound one, one for each place where it can be made.
using ChangedBodies = std::vector<std::string>;

/// An operator, and what it is applied to: a named way in which a stream goes wrong, or may vary.
struct Kind {
  std::string name;         ///< "cut-short@call.arguments"
  std::string_view family;  ///< "arguments": the table that the operator stands in
  Effect effect = Effect::shape;
  std::string_view then;  ///< what comes of it at a client, in one sentence

  /// Those whose bytes differ from the draft's; none where the draft has nothing of the kind.
  std::function<ChangedBodies(const Draft&)> make;
};

/// All kinds of a protocol by family, each name once; none of a protocol that is not known. They are made of what the
/// protocol says and of what goes wrong in proxies, not of the contracts.
const std::vector<Kind>& kinds_of(std::string_view protocol);

/// A stream of that protocol, ready to have kinds made of it.
Draft draft_of(std::string_view protocol, std::string_view body);

}  // namespace splitproof::selftest
