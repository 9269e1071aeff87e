#include "proxy/wire/event_array.hpp"

#include <utility>
#include <vector>

namespace splitproof::wire {

void EventArray::feed(std::string_view bytes, std::string& out) {
  std::vector<Frame> frames;
  reader_.feed(bytes, frames);
  for (const Frame& frame : frames) {
    if (frame.data.find_first_not_of(" \t\r\n") == std::string::npos) continue;
    out.append(std::exchange(begun_, true) ? ",\r\n" : "[").append(frame.data);
  }
}

void EventArray::finish(std::string& out) {
  if (std::exchange(ended_, true)) return;
  out += begun_ ? "]" : "[]";
}

}  // namespace splitproof::wire
