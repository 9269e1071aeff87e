#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/observe/sse_reader.hpp"

namespace splitproof::observe {

/// Reads a body that is one JSON array, element by element. Each element is a frame, with its bytes as data:
///
///     [{"a":1}\r\n,\r\n{"a":2}]
///      ^begin ^end
///
/// White space may be around elements, and a byte order mark at the start. The reader finds the ends of elements by
/// their brackets and strings. It does not check their JSON.
///
/// - Another byte between elements becomes a frame with `broken`. Nothing after it is read.
/// - A body that ends before its `]` was cut off. Its last frame has `terminated` false, and may be empty.
///
/// Guarantees: the state depends only on the bytes and not on their chunks, and compares equal accordingly. The time is
/// linear in the bytes, however small the chunks.
class JsonArrayReader {
 public:
  /// Takes the next bytes, any number of them.
  void feed(std::string_view bytes);

  /// Ends the body. Nothing may be fed afterwards.
  void finish();

  const std::vector<SseEvent>& events() const { return events_; }

  /// Moves out the frames so far.
  std::vector<SseEvent> take_settled() { return std::exchange(events_, {}); }
  std::vector<SseEvent> take_events() && { return std::move(events_); }

  bool operator==(const JsonArrayReader&) const = default;

 private:
  enum class Place : std::uint8_t {
    before_array,
    before_first,   ///< After `[`: an element or `]`.
    before_next,    ///< After a comma: an element.
    in_element,     ///< In an element; `depth_` and `in_string_` have the place.
    after_element,  ///< A comma or `]`.
    after_array,
    broken
  };

  void take(char byte);
  void take_between(char byte);
  void take_inside(char byte);
  void begin_element(char byte);
  void keep_element(bool terminated);
  void fail(std::string reason);

  std::vector<SseEvent> events_;
  Place place_ = Place::before_array;
  std::string element_;    ///< Bytes so far of the unfinished element.
  std::size_t begin_ = 0;  ///< Its offset in the body.
  std::size_t begun_ = 1;  ///< Its line.
  std::size_t depth_ = 0;  ///< Open brackets in it.
  bool in_string_ = false;
  bool escaped_ = false;  ///< The next byte is escaped.
  std::size_t at_ = 0;    ///< Number of bytes taken.
  std::size_t line_ = 1;  ///< Line of the next byte.
};

}  // namespace splitproof::observe
