#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/dialect/client.hpp"

namespace splitproof::campaign {

/// Keeps or drops comments and `ping` events, which servers send by the clock.
enum class KeepAlives { kept, left_out };

/// An event stream in which server-chosen values are replaced by their order of first appearance. Equal ids
/// stay equal, different ids stay different. Answers that differ only in such values become equal bytes.
struct NormalForm {
  std::string bytes;
  std::vector<std::string> ids;  ///< replaced ids, in that order, as in the JSON text

  /// Returns the original offset of the byte at `at`, or of its line's beginning.
  std::size_t original(std::size_t at) const;

  std::vector<std::pair<std::size_t, std::size_t>> lines;  ///< begin of each line, here and in the original
};

/// Returns the normal form of a downstream body. Never fails: a `data:` line that is not a JSON object is
/// unchanged. Line ends, white space and all other bytes are kept. Linear in the body's size.
NormalForm normal_form(std::string_view body, const dialect::ChosenFields& chosen, KeepAlives keep_alives);

}  // namespace splitproof::campaign
