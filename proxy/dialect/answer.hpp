#pragma once

#include <string>

namespace splitproof::proxy::dialect {

/// A complete response with a JSON body.
struct Answer {
  int status = 200;
  std::string body;
  std::string retry_after = {};  ///< For the header of that name; empty: none.
  std::string header = {};       ///< Another header, as "NAME: VALUE"; empty: none.

  bool operator==(const Answer&) const = default;
};

/// Gives an answer another status.
inline void set_status(Answer& answer, int status) { answer.status = status; }

}  // namespace splitproof::proxy::dialect
