// Reads any bytes as the frames of a WebSocket peer. The events do not depend on the pieces, nothing follows a close or
// a fault, texts are UTF-8, and no message exceeds the limit. Each text is read back after it was written.
//
// Bytes 0-3 choose the cuts, the last byte the peer, the rest is the frames.

#include "proxy/wire/websocket_frames.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/input.hpp"
#include "proxy/wire/utf8.hpp"

using namespace splitproof;
using wire::WebSocketEvent;
using wire::WebSocketReader;

namespace {

constexpr std::size_t kMost = 4096;

void check(const std::vector<WebSocketEvent>& events, bool over) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    const WebSocketEvent& event = events[i];
    const bool last = event.kind == WebSocketEvent::Kind::close || event.kind == WebSocketEvent::Kind::fault;
    if (last && (!over || i + 1 < events.size())) std::abort();
    if (event.kind != WebSocketEvent::Kind::text) continue;
    if (event.data.size() > kMost || !wire::is_utf8(event.data)) std::abort();
    std::string frame;
    wire::append_text_frame(frame, event.data);
    std::vector<WebSocketEvent> again;
    WebSocketReader(WebSocketReader::Peer::server, kMost).feed(frame, again);
    if (again != std::vector{event}) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 5) return 0;
  fuzz::CutInput input = fuzz::cut_input(data, size - 1);
  const auto peer = data[size - 1] % 2 == 0 ? WebSocketReader::Peer::client : WebSocketReader::Peer::server;
  WebSocketReader whole(peer, kMost);
  std::vector<WebSocketEvent> events;
  whole.feed(input.body, events);
  check(events, whole.over());
  WebSocketReader cut(peer, kMost);
  std::vector<WebSocketEvent> of_pieces;
  for (const std::string_view piece : input.pieces())
    fuzz::with_exact_copy(piece, [&](std::string_view bytes) { cut.feed(bytes, of_pieces); });
  if (of_pieces != events || cut.over() != whole.over() || (!cut.over() && cut != whole)) std::abort();
  return 0;
}
