#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/wire/frame.hpp"

namespace splitproof::proxy::dialect {

/// Cuts a body into its lines, without their LF. Lines of white space are skipped, and so is one leading byte order mark.
///
/// Its state is a function of the bytes fed, not of how they were cut.
class OllamaFramer {
 public:
  explicit OllamaFramer(std::size_t line_bytes) : limit_(line_bytes) {}

  /// Takes any bytes and appends the lines they complete. A line longer than the limit is an oversized frame, and the last.
  void feed(std::string_view bytes, std::vector<wire::Frame>& frames);

  /// The body is over: appends a line that lacks its LF, marked `terminated = false`.
  void finish(std::vector<wire::Frame>& frames);

  /// Forgets everything and cuts no more.
  void stop();

  bool operator==(const OllamaFramer&) const = default;

 private:
  void take_line(bool terminated, std::vector<wire::Frame>& frames);

  std::size_t limit_;
  std::string line_;        // bytes of the line not yet ended
  bool first_line_ = true;  // a byte order mark may still come
  bool over_ = false;
};

}  // namespace splitproof::proxy::dialect
