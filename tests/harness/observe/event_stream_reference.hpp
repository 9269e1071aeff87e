#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::observe {

/// The fields of one dispatched event that the standard defines.
struct PlainEvent {
  std::string type;
  std::string data;
  std::string id;

  bool operator==(const PlainEvent&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const PlainEvent& e) {
    return out << '{' << e.type << " | " << e.data << " | " << e.id << '}';
  }
};

/// The standard's algorithm for a whole body at once, in its simplest form: decode, split into lines, interpret line by
/// line. Only for tests; it shares no code with the reader under test.
std::vector<PlainEvent> interpret_event_stream(std::string_view body);

/// The standard's UTF-8 decoder ("Encoding", 8.1.1) with its state machine.
std::string decode_as_whatwg(std::string_view bytes);

}  // namespace splitproof::observe
