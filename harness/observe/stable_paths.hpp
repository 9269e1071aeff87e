#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace splitproof::observe {

/// Text that grows, without paths of the upstream's machine, as far as nothing that may still come changes it. What
/// waits is what docs/cleaning.md allows: the longest end that begins a path's prefix, and up to three dots behind a
/// path. What is told is always a beginning of what redacted() makes of the text, however that goes on.
class StablePaths {
 public:
  /// Takes the next byte that the text says, and the bytes that stand for it; adds what is settled by then to `told`.
  void take(char said, std::string_view written, std::string_view marker, std::string& told);

  /// Nothing more comes: adds what waited.
  void end(std::string& told);

 private:
  struct Byte {
    char said;
    std::string written;
  };

  void look(Byte byte, std::string_view marker, std::string& told);
  bool waiting_ends_with(std::string_view prefix) const;

  std::vector<Byte> waiting_;  ///< the beginning of a prefix, or dots behind a path
  bool in_path_ = false;
};

}  // namespace splitproof::observe
