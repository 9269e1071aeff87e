#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::coverage {

/// Reports which places of a target's own code a case reached. A place is a line or an edge.
class Coverage {
 public:
  Coverage() = default;
  Coverage(const Coverage&) = delete;
  Coverage& operator=(const Coverage&) = delete;
  virtual ~Coverage() = default;

  /// Returns the numbers of all places reached since the last call, ascending. The Error says what was expected and did not come.
  virtual Result<std::vector<std::uint32_t>> take() = 0;

  /// Returns the name of a place, such as "src/stream.js:42".
  virtual std::string name(std::uint32_t place) const = 0;

  /// Returns all places known so far, reached or not, ascending.
  virtual std::vector<std::uint32_t> known() const = 0;
};

}  // namespace splitproof::coverage
