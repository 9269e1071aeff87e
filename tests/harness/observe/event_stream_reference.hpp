#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::observe {

/// What the standard says of one dispatched event, and nothing else.
struct PlainEvent {
  std::string type;
  std::string data;
  std::string id;

  bool operator==(const PlainEvent&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const PlainEvent& e) {
    return out << '{' << e.type << " | " << e.data << " | " << e.id << '}';
  }
};

/// The standard's algorithm over a whole body at once, as plainly as it can be written down: decode, split
/// into lines, interpret line by line. Test-only; shares nothing with the reader it is held against.
std::vector<PlainEvent> interpret_event_stream(std::string_view body);

/// The standard's UTF-8 decoder ("Encoding", 8.1.1), state machine and all.
std::string decode_as_whatwg(std::string_view bytes);

}  // namespace splitproof::observe
