#pragma once

#include <string>

namespace splitproof::wire {

/// One piece of an upstream body, as a framer cuts it.
struct Frame {
  std::string event;        ///< its name; empty without one
  std::string data;         ///< what a reader reads
  bool terminated = true;   ///< false: the body ended before the frame did
  bool oversized = false;   ///< passed the size limit; `data` is empty and no frame follows
  bool bare = false;        ///< `data` is a whole body that has no frames, one JSON object
  std::string error = {};   ///< of an error: the upstream's word for it, where that stands beside the data
  std::string damage = {};  ///< why it cannot be read, to stand behind "a frame "; no frame follows

  bool operator==(const Frame&) const = default;
};

}  // namespace splitproof::wire
