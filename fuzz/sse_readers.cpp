// Compares the two readers of event streams: the proxy's, which has to be fast and keep little, and the harness's,
// which has to be strict and keep all. They share no code.
//
// The first two bytes choose the cut for the proxy; the harness reads the whole input.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string_view>
#include <vector>

#include "fuzz/input.hpp"
#include "harness/observe/sse_reader.hpp"
#include "harness/utf8.hpp"
#include "proxy/wire/sse_reader.hpp"

using namespace splitproof;

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "the readers disagree: " << what << "\n";
  std::abort();
}

bool well_formed(std::string_view text) { return find_ill_formed_utf8(text) == std::string_view::npos; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::CutInput input = fuzz::cut_input(data, size);

  wire::SseReader proxy(std::size_t{1} << 24);
  std::vector<wire::Frame> frames;
  for (const std::string_view piece : input.pieces())
    fuzz::with_exact_copy(piece, [&](std::string_view exact) { proxy.feed(exact, frames); });
  proxy.finish(frames);

  observe::SseReader harness;
  harness.feed(input.body);
  harness.finish();

  std::size_t next = 0;
  for (const observe::SseEvent& event : harness.events()) {
    if (!event.terminated && event.data_at.empty()) continue;  // the proxy ignores a tail without data
    require(next < frames.size(), "the proxy has fewer events");
    const wire::Frame& frame = frames[next++];
    require(frame.terminated == event.terminated, "where the stream ends");
    // The harness replaces invalid UTF-8, and the proxy refuses it later.
    require(frame.data == event.data || !well_formed(frame.data), "data");
    require(frame.event == event.event.value_or("") || !well_formed(frame.event), "event name");
  }
  require(next == frames.size(), "the proxy has more events");
  return 0;
}
