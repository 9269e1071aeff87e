#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/json_progress.hpp"
#include "harness/observe/stable_paths.hpp"

namespace splitproof::observe {

/// Arguments of a call that grow, without paths of the upstream's machine, as far as nothing that may still come
/// changes them: a beginning of what redacted_arguments() makes of them, however they go on. In each string that is a
/// value the same waits as in text, and in any string an escape that is not whole. Each byte is read once.
class StableArguments {
 public:
  /// Takes what comes next, and adds what is settled by then to `told`.
  void take(std::string_view piece, std::string_view marker, std::string& told);

 private:
  void outside_strings(char c, std::string& told);
  void in_string(char c, std::string_view marker, std::string& told);

  JsonProgress progress_;
  bool foreign_ = false;       ///< they are no beginning of JSON any more
  std::vector<bool> objects_;  ///< what is open, outermost first
  bool key_ = false;           ///< the string at hand is one, or the next
  bool in_string_ = false;
  std::string escape_;  ///< that is not whole
  StablePaths paths_;   ///< of the value at hand
};

}  // namespace splitproof::observe
