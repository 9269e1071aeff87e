#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace splitproof::wire {

/// Finds where an event stream can be taken apart without changing it: behind the blank line that ends an event, and
/// behind each comment and each blank line that stands before one. Lines end as in SseReader.
///
/// Its state is a function of the bytes taken, not of how they were cut.
class SsePieces {
 public:
  struct Piece {
    std::size_t size = 0;
    bool whole = false;  ///< false: the bytes are over, and it goes on
  };

  /// Takes the bytes up to the end of the piece that they go on with. An LF that ends a line together with the CR before
  /// it is a piece of its own where that CR had ended one.
  Piece take(std::string_view bytes);

  bool operator==(const SsePieces&) const = default;

 private:
  enum class Line : std::uint8_t { empty, comment, field };

  Line line_ = Line::empty;  // what has come of the line that is not ended
  bool at_head_ = true;      // no line of this piece has ended
  bool after_cr_ = false;
};

}  // namespace splitproof::wire
