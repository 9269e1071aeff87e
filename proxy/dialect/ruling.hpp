#pragma once

#include <optional>
#include <string>
#include <utility>

#include "proxy/turn/event.hpp"

namespace splitproof::proxy::dialect {

/// The decision on a relayed frame or on the end of a body.
struct Ruling {
  bool passes = true;  ///< the frame passes unchanged
  bool last = false;   ///< the stream is over, and nothing may follow
  std::optional<turn::Failure> failure =
      {};  ///< the stream ends with this error, after the frame if that passes
};

/// Ends the stream with an error in place of a frame.
inline Ruling failing(std::string message) {
  return {.passes = false, .failure = turn::Failure{turn::ErrorKind::api, std::move(message)}};
}

}  // namespace splitproof::proxy::dialect
