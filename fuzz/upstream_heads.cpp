// An upstream on the loopback answers a request of the proxy with any bytes, in up to three pieces: the transfer ends, with
// a status that HTTP has, what it says of `retry-after` can be put into a head, and no more is held than was looked for.
//
// Bytes 0-3 choose the cuts, the rest is what the upstream sends.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz/input.hpp"
#include "proxy/server/event_loop.hpp"
#include "proxy/server/transfer.hpp"

using namespace splitproof;
using std::chrono::milliseconds;

namespace {

constexpr std::size_t kMostHeld = std::size_t{16} << 20;

struct Loopback {
  Loopback() : listening(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(listening, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listening, 16) != 0 ||
        getsockname(listening, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      std::abort();
    url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/";
  }

  const int listening;
  std::string url;
  server::TransferLibrary library;
  server::EventLoop loop;
  server::TransferPool pool{loop, 4, ""};
};

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
  static Loopback* const upstream = new Loopback;  // the library is not ended at the end of the program
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
        connection = accept4(upstream->listening, nullptr, nullptr, SOCK_CLOEXEC);
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
  if (connection >= 0) {
    // Ends without waiting for the kernel, so that ports do not run out.
    const linger at_once{1, 0};
    setsockopt(connection, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(connection);
  }
  return 0;
}
