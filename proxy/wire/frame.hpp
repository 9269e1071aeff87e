#pragma once

#include <string>

namespace splitproof::wire {

/// One piece of an upstream body from a framer.
struct Frame {
  std::string event;        ///< Its name; empty without one.
  std::string data;         ///< The content for a reader.
  bool terminated = true;   ///< false: the body ended before the frame did.
  bool oversized = false;   ///< Above the size limit; `data` is empty and no frame follows.
  bool bare = false;        ///< `data` is a whole body without frames, one JSON object.
  std::string error = {};   ///< The upstream's word for an error, if it is outside the data.
  std::string damage = {};  ///< Reason if unreadable, to follow "a frame "; no frame follows.
  bool unclosed = false;    ///< The body ended inside the array around the frames.

  bool operator==(const Frame&) const = default;
};

}  // namespace splitproof::wire
