#include "harness/testee/socket.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace splitproof::testee {
namespace {

constexpr int kBacklog = 1024;  // a campaign opens its exchanges all at once
constexpr std::size_t kPiece = 65536;

int milliseconds_to(Deadline deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 3'600'000));
}

Error broken(std::string what) { return Error{std::move(what) + ": " + std::strerror(errno), {}, 0, {}}; }

Result<Descriptor> listen_at(const addrinfo& address, const std::string& shown, const Network& network) {
  Descriptor socket = network.socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (socket.get() < 0) return tl::unexpected(broken("cannot make a socket for " + shown));
  const int yes = 1;
  setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(socket.get(), address.ai_addr, address.ai_addrlen) != 0 || listen(socket.get(), kBacklog) != 0)
    return tl::unexpected(broken("cannot listen on " + shown));
  return socket;
}

}  // namespace

StopToken::StopToken() : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

StopToken StopToken::below(const StopToken& parent) {
  StopToken token;
  token.either_ = Descriptor(epoll_create1(EPOLL_CLOEXEC));
  for (const int stop : {token.event_.get(), parent.descriptor()}) {
    epoll_event readable{EPOLLIN, {}};
    epoll_ctl(token.either_.get(), EPOLL_CTL_ADD, stop, &readable);
  }
  return token;
}

void StopToken::request_stop() { static_cast<void>(eventfd_write(event_.get(), 1)); }

Io wait_for(int socket, short events, const StopToken& stop, Deadline deadline) {
  std::array<pollfd, 2> watched{{{socket, events, 0}, {stop.descriptor(), POLLIN, 0}}};
  while (true) {
    const int ready = poll(watched.data(), watched.size(), milliseconds_to(deadline));
    if (ready < 0 && errno == EINTR) continue;
    if (watched[1].revents != 0) return Io::stopped;
    if (ready == 0) return Io::late;
    if ((watched[0].revents & events) != 0) return Io::done;
    return Io::gone;
  }
}

Io sleep_until(const StopToken& stop, Deadline deadline) { return wait_for(-1, 0, stop, deadline); }

Io send_all(int socket, std::string_view bytes, const StopToken& stop, Deadline deadline) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
      if (!bytes.empty() && has_passed(deadline)) return Io::late;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      const Io io = wait_for(socket, POLLOUT, stop, deadline);
      if (io != Io::done) return io;
    } else if (errno != EINTR) {
      return Io::gone;
    }
  }
  return Io::done;
}

Io receive(int socket, std::string& bytes, const StopToken& stop, Deadline deadline) {
  const std::size_t before = bytes.size();
  while (true) {
    const Io io = wait_for(socket, POLLIN, stop, deadline);
    if (io != Io::done) return io;
    if (has_passed(deadline)) return Io::late;
    bytes.resize(before + kPiece);
    const ssize_t got = recv(socket, bytes.data() + before, kPiece, 0);
    bytes.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got > 0) return Io::done;
    if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) return Io::gone;
  }
}

void reset(Descriptor& socket) {
  const linger at_once{1, 0};
  setsockopt(socket.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  socket.close();
}

Result<Descriptor> listen_on(const std::string& host, std::uint16_t port, const Network& network) {
  const std::string service = std::to_string(port);
  const std::string shown = host + ":" + service;
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (const int failed = getaddrinfo(host.c_str(), service.c_str(), &hints, &found); failed != 0)
    return tl::unexpected(Error{"cannot listen on " + shown + ": " + gai_strerror(failed), {}, 0, {}});
  Result<Descriptor> socket = listen_at(*found, shown, network);
  for (const addrinfo* other = found->ai_next; !socket && other != nullptr; other = other->ai_next)
    socket = listen_at(*other, shown, network);
  freeaddrinfo(found);
  return socket;
}

Descriptor accept_from(int listener, const StopToken& stop, Deadline deadline, Io& io) {
  io = wait_for(listener, POLLIN, stop, deadline);
  if (io != Io::done) return {};
  Descriptor socket(accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (socket.get() < 0) {
    io = Io::gone;
    return socket;
  }
  const int yes = 1;
  setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return socket;
}

std::string local_address(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  if (getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0 ||
      getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host.data(), host.size(), port.data(),
                  port.size(), NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
    return {};
  }
  const std::string text = address.ss_family == AF_INET6 ? "[" + std::string(host.data()) + "]" : host.data();
  return text + ":" + port.data();
}

}  // namespace splitproof::testee
