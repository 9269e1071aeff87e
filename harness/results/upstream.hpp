#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/observe/frame_style.hpp"
#include "harness/recording/recording.hpp"
#include "harness/split/split.hpp"

namespace splitproof::results {

/// The upstream's behaviour in one case: body, cuts and end. Over HTTP also further events of the exchange.
struct Upstream {
  std::string body;
  split::Cuts cuts;
  recording::End end = recording::End::complete;
  std::optional<int> status = {};            ///< Error status. The body is an error's JSON.
  std::optional<std::size_t> leave_at = {};  ///< The client leaves while this byte of the body is held back.
  bool withheld = false;            ///< After each event, waits until the client has received its content.
  observe::FrameStyle frames = {};  ///< Frames of its messages over a WebSocket.
  std::vector<double> pauses = {};  ///< Seconds before each chunk and before the end; empty: none.

  auto operator<=>(const Upstream&) const = default;
};

}  // namespace splitproof::results
