#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>

#include "harness/recording/recording.hpp"
#include "harness/split/split.hpp"

namespace splitproof::results {

/// What the upstream of one case sends: a body, where it is cut, and how it ends. And what else happens to the
/// exchange, where the testee is reached over HTTP.
struct Upstream {
  std::string body;
  split::Cuts cuts;
  recording::End end = recording::End::complete;
  std::optional<int> status = {};            ///< it answers this, and the body is an error's JSON
  std::optional<std::size_t> leave_at = {};  ///< the client leaves while this byte of the body is held back
  bool withheld = false;  ///< what follows an event waits until the client has been told what the event says

  auto operator<=>(const Upstream&) const = default;
};

}  // namespace splitproof::results
