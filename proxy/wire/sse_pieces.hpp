#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace splitproof::wire {

/// Finds the places to divide an event stream without changing it: after the blank line that ends an event, and after
/// each comment and blank line before one. Lines end as in SseReader.
///
/// Its state depends only on the bytes, not on their chunks.
class SsePieces {
 public:
  struct Piece {
    std::size_t size = 0;
    bool whole = false;  ///< false: the piece continues after these bytes
  };

  /// Takes the bytes up to the end of the current piece. If a CR has ended a piece, a following LF is a piece of its
  /// own.
  Piece take(std::string_view bytes);

  bool operator==(const SsePieces&) const = default;

 private:
  enum class Line : std::uint8_t { empty, comment, field };

  Line line_ = Line::empty;  // the incomplete line so far
  bool at_head_ = true;      // no line of this piece has ended
  bool after_cr_ = false;
};

}  // namespace splitproof::wire
