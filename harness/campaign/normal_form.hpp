#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/dialect/client.hpp"

namespace splitproof::campaign {

/// Whether comments and `ping` events stay: servers send them by the clock.
enum class KeepAlives { kept, left_out };

/// An event stream in which what a server chooses is replaced by the order of its first appearance: equal ids stay equal
/// and different ones different, while two answers that differ in nothing else become the same bytes.
struct NormalForm {
  std::string bytes;
  std::vector<std::string> ids;  ///< those that were replaced, in that order, as they stood in the JSON text

  /// Where the byte of the original stands that became the byte at `at`, or its line's begin.
  std::size_t original(std::size_t at) const;

  std::vector<std::pair<std::size_t, std::size_t>> lines;  ///< begin of each line, here and in the original
};

/// The normal form of a downstream body. Never fails: what is no JSON object on one `data:` line is left as it is. Line
/// ends, white space and everything else stay, byte for byte. Linear in the body.
NormalForm normal_form(std::string_view body, const dialect::ChosenFields& chosen, KeepAlives keep_alives);

}  // namespace splitproof::campaign
