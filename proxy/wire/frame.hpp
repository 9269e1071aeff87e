#pragma once

#include <string>

namespace splitproof::wire {

/// One piece of an upstream body from a framer.
struct Frame {
  std::string event;        ///< its name; empty without one
  std::string data;         ///< the content for a reader
  bool terminated = true;   ///< false: the body ended before the frame did
  bool oversized = false;   ///< above the size limit; `data` is empty and no frame follows
  bool bare = false;        ///< `data` is a whole body without frames, one JSON object
  std::string error = {};   ///< of an error: the upstream's word for it, if it is outside the data
  std::string damage = {};  ///< reason if unreadable, to follow "a frame "; no frame follows

  bool operator==(const Frame&) const = default;
};

}  // namespace splitproof::wire
