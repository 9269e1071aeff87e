#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "harness/split/seam_board.hpp"

namespace splitproof::split {

/// Tokenizes the JSON text of one event, line by line, and marks the seams in its tokens.
///
/// No token of JSON spans a line, so all that is kept from line to line is which containers are open (to tell
/// a key from a value) and whether the text is broken. It knows tokens and nesting, no grammar: what is not a
/// token breaks the text, and a broken text has no more seams.
class JsonSeams {
 public:
  /// Reads body[begin, end), the value of the event's next `data` line.
  void scan_line(std::string_view body, std::size_t begin, std::size_t end, SeamBoard& board);

 private:
  std::vector<bool> in_object_;  ///< open containers, outermost first: object or array
  bool key_next_ = false;        ///< a string read now is a key
  bool broken_ = false;
};

}  // namespace splitproof::split
