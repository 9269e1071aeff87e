#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recording/recording.hpp"
#include "harness/testee/chunked_body.hpp"

namespace splitproof::imports {

/// Returns the value of a header in a head, or "". The name is in lower case.
std::string header_of(std::string_view head, std::string_view name);

/// Returns the status in "HTTP/1.1 200 OK", or nullopt.
std::optional<int> status_of_line(std::string_view line);

/// A response as a client read it: its head, and the reads of its body before the transfer coding is removed.
class WireResponse {
 public:
  /// The body after its transfer coding, and the reads that brought some of it.
  struct Body {
    std::string bytes;
    std::vector<recording::Arrival> arrivals;
    bool is_over = false;    ///< The final chunk came, or as many bytes as the head announced.
    bool needs_end = false;  ///< The head announced a final chunk or a length.
    std::string fault;       ///< Why its chunks are invalid, or "".
  };

  /// Takes more of the head. A new status line begins a new head, as after status 100.
  void take_head(std::string_view lines);

  /// Takes what one read returned of the body.
  void take_body(double at, std::string_view bytes);

  Body finish();

  int status() const { return status_; }

  /// Returns the compression of the body, or "".
  std::string coding() const;

 private:
  struct WireRead {
    double at = 0;
    std::string bytes;
  };

  std::string head_;
  int status_ = 200;
  std::vector<WireRead> reads_;
};

}  // namespace splitproof::imports
