#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "harness/split/seam_board.hpp"

namespace splitproof::split {

/// Tokenizes the JSON text of one event, line by line, and marks the seams in its tokens.
///
/// No JSON token spans lines. So the state between lines is only the open containers, which distinguish keys
/// from values, and whether the text is broken. It checks tokens and nesting, but no grammar. An invalid
/// token breaks the text, and no more seams are marked.
class JsonSeams {
 public:
  /// Reads body[begin, end), the value of the event's next `data` line.
  void scan_line(std::string_view body, std::size_t begin, std::size_t end, SeamBoard& board);

 private:
  std::vector<bool> in_object_;  ///< open containers, outermost first: true for an object
  bool key_next_ = false;        ///< the next string is a key
  bool broken_ = false;
};

}  // namespace splitproof::split
