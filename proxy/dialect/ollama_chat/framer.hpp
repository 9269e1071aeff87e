#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/wire/frame.hpp"

namespace splitproof::proxy::dialect {

/// Cuts a body into its lines, without their LF. Skips blank lines and one leading byte order mark.
///
/// Its state depends only on the bytes, not on their chunks.
class OllamaFramer {
 public:
  explicit OllamaFramer(std::size_t line_bytes) : limit_(line_bytes) {}

  /// Takes bytes and appends the complete lines. A line above the limit is an oversized frame, and the last.
  void feed(std::string_view bytes, std::vector<wire::Frame>& frames);

  /// The body is over. Appends a final line without LF, marked `terminated = false`.
  void finish(std::vector<wire::Frame>& frames);

  /// Clears the state and cuts no more lines.
  void stop();

  bool operator==(const OllamaFramer&) const = default;

 private:
  void take_line(bool terminated, std::vector<wire::Frame>& frames);

  std::size_t limit_;
  std::string line_;        // incomplete line
  bool first_line_ = true;  // a byte order mark may still come
  bool over_ = false;
};

}  // namespace splitproof::proxy::dialect
