#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/observe/code_bytes.hpp"
#include "harness/observe/json_progress.hpp"

namespace splitproof::observe {

/// Text that grows and says of itself that it is the model, as far as nothing that may still come changes it: a
/// beginning of what with_identity_of() makes of it, however it goes on. What waits is what docs/cleaning.md allows:
/// all from the first byte outside of code and JSON that may yet turn out to begin a phrase, a whole phrase too until
/// the byte behind it has come. Only that is read again when more comes.
class StableIdentity {
 public:
  /// Reads `text`, which begins with what was read before, and adds what is settled by now to `told`.
  void read(std::string_view text, std::string_view model, std::string& told);

 private:
  /// JSON at the beginning of a line, while it is read.
  class LineJson {
   public:
    /// Whether it goes on over `c`.
    bool take(char c);
    bool closed() const { return closed_; }

   private:
    JsonProgress progress_;
    std::size_t depth_ = 0;
    bool in_string_ = false;
    bool escapes_ = false;  ///< a backslash stands right before, in a string
    bool closed_ = false;
  };

  std::size_t at_ = 0;  ///< all before is settled
  CodeBytes code_;
  std::optional<LineJson> json_;
};

}  // namespace splitproof::observe
