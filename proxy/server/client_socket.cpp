#include "proxy/server/client_socket.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace splitproof::server {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kLinger{2'000};
constexpr std::size_t kPiece = 16384;

}  // namespace

ClientSocket::ClientSocket(int descriptor, int stop, milliseconds timeout)
    : descriptor_(descriptor), stop_(stop), timeout_(timeout) {}

// False: not in time, or the server ends.
bool ClientSocket::wait_for(short events, milliseconds at_most) const {
  const Clock::time_point until = Clock::now() + at_most;
  while (true) {
    std::array<pollfd, 2> polled{pollfd{descriptor_, events, 0}, pollfd{stop_, POLLIN, 0}};
    const auto left = std::chrono::duration_cast<milliseconds>(until - Clock::now());
    const int ready = poll(polled.data(), polled.size(), static_cast<int>(std::max(left.count(), {0})));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    return polled[0].revents != 0 && polled[1].revents == 0;
  }
}

bool ClientSocket::wait_for_request(milliseconds at_most) {
  return at_ < buffer_.size() || wait_for(POLLIN, at_most);
}

ssize_t ClientSocket::read(char* data, std::size_t size) {
  if (at_ == buffer_.size()) {
    if (allowed_ == 0 || !wait_for(POLLIN, timeout_)) return -1;
    buffer_.resize(kPiece);
    at_ = 0;
    const ssize_t n = recv(descriptor_, buffer_.data(), buffer_.size(), 0);
    buffer_.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    if (n <= 0) return n;
  }
  const std::size_t n = std::min({size, buffer_.size() - at_, allowed_});
  std::memcpy(data, buffer_.data() + at_, n);
  at_ += n;
  allowed_ -= n;
  return n == 0 ? -1 : static_cast<ssize_t>(n);
}

bool ClientSocket::write(const char* data, std::size_t size) {
  while (size > 0 && !given_up_) {
    const ssize_t n = send(descriptor_, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      data += n;
      size -= static_cast<std::size_t>(n);
      sent_ += static_cast<std::size_t>(n);
      continue;
    }
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
    if (!wait_for(POLLOUT | POLLRDHUP, timeout_) || gone()) return false;
  }
  return !given_up_;
}

bool ClientSocket::gone() const {
  pollfd polled{descriptor_, POLLRDHUP, 0};
  return poll(&polled, 1, 0) > 0;
}

bool ClientSocket::stopping() const {
  pollfd polled{stop_, POLLIN, 0};
  return poll(&polled, 1, 0) > 0;
}

bool ClientSocket::unread() const {
  char byte = 0;
  return recv(descriptor_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

std::vector<int> ClientSocket::watched() const {
  return unread() ? std::vector<int>{stop_} : std::vector<int>{stop_, descriptor_};
}

milliseconds ClientSocket::longest_wait() const { return unread() ? milliseconds(50) : milliseconds(60'000); }

void ClientSocket::linger() {
  shutdown(descriptor_, SHUT_WR);
  const Clock::time_point until = Clock::now() + kLinger;
  std::array<char, kPiece> ignored{};
  while (Clock::now() < until &&
         wait_for(POLLIN, std::chrono::duration_cast<milliseconds>(until - Clock::now()))) {
    if (recv(descriptor_, ignored.data(), ignored.size(), 0) <= 0) return;
  }
}

}  // namespace splitproof::server
