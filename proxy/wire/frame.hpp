#pragma once

#include <string>

namespace splitproof::wire {

/// One piece of an upstream body, as a framer cuts it.
struct Frame {
  std::string event;       ///< its name; empty without one
  std::string data;        ///< what a reader reads
  bool terminated = true;  ///< false: the body ended before the frame did
  bool oversized = false;  ///< passed the size limit; `data` is empty and no frame follows
  bool bare = false;       ///< `data` is a whole body that has no frames, one JSON object

  bool operator==(const Frame&) const = default;
};

}  // namespace splitproof::wire
