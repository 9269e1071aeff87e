#pragma once

#include <optional>

#include "proxy/turn/event.hpp"

namespace splitproof::proxy::dialect {

/// What becomes of a frame that is to be passed on in its own dialect, or of the end of a body.
struct Ruling {
  bool passes = true;  ///< the frame goes on as it came
  bool last = false;   ///< the stream is over, and nothing may follow
  std::optional<turn::Failure> failure =
      {};  ///< the stream ends in this error, behind the frame if that passes
};

}  // namespace splitproof::proxy::dialect
