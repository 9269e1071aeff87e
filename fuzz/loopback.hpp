#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "proxy/server/event_loop.hpp"
#include "proxy/server/transfer.hpp"

namespace splitproof::fuzz {

/// A port of the loopback as the upstream, with the objects for transfers to it.
struct Loopback {
  /// `rest`: pause of a connection before the proxy uses it again.
  explicit Loopback(std::chrono::milliseconds rest = server::UpstreamPool::kRest)
      : listening(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)), pool(loop, 4, "", rest) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(listening, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(listening, 16) != 0 ||
        getsockname(listening, reinterpret_cast<sockaddr*>(&address), &size) != 0)
      std::abort();
    url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)) + "/";
  }

  /// Returns a waiting connection, or -1.
  int accept() const { return accept4(listening, nullptr, nullptr, SOCK_CLOEXEC); }

  const int listening;
  std::string url;
  server::UpstreamLibrary library;
  server::EventLoop loop;
  server::UpstreamPool pool;
};

/// Ends a connection without waiting for the kernel, so that ports do not run out.
inline void reset(int connection) {
  const linger at_once{1, 0};
  setsockopt(connection, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close(connection);
}

}  // namespace splitproof::fuzz
