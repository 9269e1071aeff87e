// An upstream on the loopback answers a request of the proxy with any bytes, in up to three pieces. The transfer ends
// with a valid HTTP status, its `retry-after` fits into a head, and it holds no more than it needs.
//
// Bytes 0-3 choose the cuts, the rest is the upstream's answer.

#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz/input.hpp"
#include "fuzz/loopback.hpp"

using namespace splitproof;
using std::chrono::milliseconds;

namespace {

constexpr std::size_t kMostHeld = std::size_t{16} << 20;

void answer(int connection, const fuzz::CutInput& input) {
  char request[4096];
  (void)recv(connection, request, sizeof request, MSG_DONTWAIT);
  for (const std::string_view piece : input.pieces())
    (void)send(connection, piece.data(), piece.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  shutdown(connection, SHUT_WR);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  static fuzz::Loopback* const upstream =
      new fuzz::Loopback;  // the library must not be ended at the end of the program
  const fuzz::CutInput input = fuzz::cut_input(data, size);
  int connection = -1;
  {
    server::UpstreamTimeouts timeouts;
    timeouts.idle = milliseconds(1000);
    server::Transfer transfer({upstream->url, {}, "{}", "text/event-stream"}, timeouts, upstream->pool,
                              [] {});
    for (int steps = 0; !transfer.end(); ++steps) {
      if (steps > 10'000) std::abort();  // it never ends
      upstream->loop.step(milliseconds(connection < 0 ? 1 : 20));
      if (connection < 0) {
        connection = upstream->accept();
        if (connection >= 0) answer(connection, input);
      }
      if (transfer.body().size() > kMostHeld) std::abort();
      transfer.body().clear();
    }
    const int status = transfer.status();
    if (status != 0 && (status < 200 || status > 599)) std::abort();
    const std::string& later = transfer.retry_after();
    if (std::any_of(later.begin(), later.end(), [](char c) { return c < ' ' || c > '~'; })) std::abort();
  }
  if (connection >= 0) fuzz::reset(connection);
  return 0;
}
