#pragma once

#include <string>

namespace splitproof::wiring {

/// One step of connecting a proxy with the client and the stand-in.
struct Step {
  std::string
      name;  ///< "network", "stand-in", "install", "start", "setup", "request", "upstream" or "answer"
  std::string tried;   ///< what splitproof did
  std::string saw;     ///< what happened
  std::string change;  ///< what to change in the command line or the target file; empty: the step succeeded

  bool failed() const { return !change.empty(); }
};

}  // namespace splitproof::wiring
