#pragma once

#include <string>

namespace splitproof::request {

/// Facts of a request in its target, for protocols whose bodies lack them.
struct Target {
  std::string model;    ///< Escaped.
  bool stream = false;  ///< The client wants a stream.
  bool array = false;   ///< The stream is one JSON array instead of events.

  bool operator==(const Target&) const = default;
};

}  // namespace splitproof::request
