#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/observe/code_bytes.hpp"
#include "harness/observe/json_progress.hpp"

namespace splitproof::observe {

/// Replaces the upstream's identity by the model's in growing text. Its output is always a prefix of
/// with_identity_of(), however the text continues. It holds back what contracts/specifications/cleaning.md allows:
/// everything from the first byte outside code and JSON that may begin a phrase. A whole phrase waits for the next
/// byte. Only these bytes are read again.
class StableIdentity {
 public:
  /// Reads `text`, which begins with the text of the previous call. Adds the settled bytes to `told`.
  void read(std::string_view text, std::string_view model, std::string& told);

 private:
  /// JSON at the beginning of a line, while it is read.
  class LineJson {
   public:
    /// True if it continues with `c`.
    bool take(char c);
    bool closed() const { return closed_; }

   private:
    JsonProgress progress_;
    std::size_t depth_ = 0;
    bool in_string_ = false;
    bool escapes_ = false;  ///< A backslash directly precedes, in a string.
    bool closed_ = false;
  };

  std::size_t at_ = 0;  ///< All before it is settled.
  CodeBytes code_;
  std::optional<LineJson> json_;
};

}  // namespace splitproof::observe
