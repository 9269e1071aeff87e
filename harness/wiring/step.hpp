#pragma once

#include <string>

namespace splitproof::wiring {

/// One step of connecting a proxy with the client and the stand-in.
struct Step {
  /// "network", "stand-in", "install", "start", "setup", "request", "upstream" or "answer".
  std::string name;
  std::string tried;   ///< The action of splitproof.
  std::string saw;     ///< The result.
  std::string change;  ///< The change to the command line or target file that helps. Empty after a success.

  bool failed() const { return !change.empty(); }
};

}  // namespace splitproof::wiring
