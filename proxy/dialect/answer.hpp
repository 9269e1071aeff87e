#pragma once

#include <string>

namespace splitproof::proxy::dialect {

/// A complete response with a JSON body.
struct Answer {
  int status = 200;
  std::string body;
  std::string retry_after = {};  ///< for the header of that name; empty: none

  bool operator==(const Answer&) const = default;
};

}  // namespace splitproof::proxy::dialect
