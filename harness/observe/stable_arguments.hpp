#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/json_progress.hpp"
#include "harness/observe/stable_paths.hpp"

namespace splitproof::observe {

/// Removes paths of the upstream's machine from growing arguments of a call. Its output is always a prefix of
/// redacted_arguments(), however they continue. In each string value it holds back the same bytes as in text,
/// and in any string an incomplete escape. Each byte is read once.
class StableArguments {
 public:
  /// Takes the next bytes, and adds the settled bytes to `told`.
  void take(std::string_view piece, std::string_view marker, std::string& told);

 private:
  void outside_strings(char c, std::string& told);
  void in_string(char c, std::string_view marker, std::string& told);

  JsonProgress progress_;
  bool foreign_ = false;       ///< They cannot become JSON any more.
  std::vector<bool> objects_;  ///< Open containers, outermost first.
  bool key_ = false;           ///< The current or next string is a key.
  bool in_string_ = false;
  std::string escape_;  ///< The incomplete escape.
  StablePaths paths_;   ///< State of the current value.
};

}  // namespace splitproof::observe
