#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/wire/frame.hpp"

namespace splitproof::proxy::dialect {

/// Cuts a JSON array of objects that arrives piece by piece: `[{...},\r\n{...}]`. Each object is a frame as soon as its
/// last byte is here. The JSON inside of an object is checked later, when it is read.
///
/// Its state depends only on the bytes, not on their chunks.
class JsonArrayFramer {
 public:
  explicit JsonArrayFramer(std::size_t object_bytes) : limit_(object_bytes) {}

  /// Takes bytes, from the `[` on, and appends the complete objects. An object above the limit is an oversized frame,
  /// and the last. A byte that no array of objects has at its place is a frame by itself, and the last.
  void feed(std::string_view bytes, std::vector<wire::Frame>& frames);

  /// The body is over. Appends a frame marked `terminated = false` if the array lacks its end.
  void finish(std::vector<wire::Frame>& frames);

  /// Clears the state and cuts no more objects.
  void stop();

  bool operator==(const JsonArrayFramer&) const = default;

 private:
  // The next expected token. In `inside`, the rest of an object.
  enum class Place : std::uint8_t { bracket, first, object, inside, after_object, end, over };

  void take_between(char c, std::vector<wire::Frame>& frames);
  std::size_t take_inside(std::string_view bytes);
  void give_up(const wire::Frame& frame, std::vector<wire::Frame>& frames);

  std::size_t limit_;
  Place place_ = Place::bracket;
  std::string object_;     // incomplete object
  std::size_t depth_ = 0;  // open arrays and objects in it
  bool in_string_ = false;
  bool escaped_ = false;  // the next character belongs to an escape
};

}  // namespace splitproof::proxy::dialect
