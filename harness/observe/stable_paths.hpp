#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace splitproof::observe {

/// Removes paths of the upstream's machine from growing text. It holds back what contracts/specifications/cleaning.md
/// allows: the longest suffix that may begin a path, and up to three dots after a path. Its output is always a prefix
/// of redacted(), however the text continues.
class StablePaths {
 public:
  /// Takes the next character and the bytes that spell it. Adds the settled bytes to `told`.
  void take(char said, std::string_view written, std::string_view marker, std::string& told);

  /// Adds the bytes that were held back, because nothing more comes.
  void end(std::string& told);

 private:
  struct Byte {
    char said;
    std::string written;
  };

  void look(Byte byte, std::string_view marker, std::string& told);
  bool waiting_ends_with(std::string_view prefix) const;

  std::vector<Byte> waiting_;  ///< The beginning of a path, or dots after a path.
  bool in_path_ = false;
};

}  // namespace splitproof::observe
