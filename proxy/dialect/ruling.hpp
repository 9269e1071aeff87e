#pragma once

#include <optional>
#include <string>
#include <utility>

#include "proxy/turn/event.hpp"

namespace splitproof::proxy::dialect {

/// What becomes of a frame that is to be passed on in its own dialect, or of the end of a body.
struct Ruling {
  bool passes = true;  ///< the frame goes on as it came
  bool last = false;   ///< the stream is over, and nothing may follow
  std::optional<turn::Failure> failure =
      {};  ///< the stream ends in this error, behind the frame if that passes
};

/// What ends the stream in an error in place of a frame.
inline Ruling failing(std::string message) {
  return {.passes = false, .failure = turn::Failure{turn::ErrorKind::api, std::move(message)}};
}

}  // namespace splitproof::proxy::dialect
