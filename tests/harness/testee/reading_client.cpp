#include "tests/harness/testee/reading_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace splitproof::testee {

ReadingClient::ReadingClient(const std::string& base_url) {
  const std::string address = base_url.substr(std::string("http://").size());
  const std::size_t colon = address.rfind(':');
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(std::atoi(address.c_str() + colon + 1)));
  fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (inet_pton(AF_INET, address.substr(0, colon).c_str(), &to.sin_addr) != 1 ||
      connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
    std::perror(base_url.c_str());
    std::abort();
  }
}

ReadingClient::~ReadingClient() { close(); }

bool ReadingClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void ReadingClient::post(const std::string& target, const std::string& body,
                         const std::string& more_headers) {
  send("POST " + target + " HTTP/1.1\r\nhost: x\r\n" + more_headers +
       "content-length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
}

ReadingClient::Got ReadingClient::read_once(std::chrono::milliseconds silence) {
  pollfd watched{fd_, POLLIN, 0};
  if (poll(&watched, 1, static_cast<int>(silence.count())) <= 0) return Got::silence;
  return receive(0);
}

ReadingClient::Got ReadingClient::receive(int flags) {
  std::array<char, 1 << 16> room;
  const ssize_t got = recv(fd_, room.data(), room.size(), flags);
  if (got < 0) return errno == EAGAIN ? Got::silence : Got::reset;
  if (got == 0) return Got::end;
  pieces_.emplace_back(room.data(), static_cast<std::size_t>(got));
  return Got::bytes;
}

ReadingClient::Got ReadingClient::read_all_restless() {
  const auto deadline = std::chrono::steady_clock::now() + kTimeout;
  while (true) {
    const Got got = receive(MSG_DONTWAIT);
    if (got == Got::end || got == Got::reset || std::chrono::steady_clock::now() >= deadline) return got;
    if (got == Got::silence) sched_yield();  // on a machine with few cores
  }
}

ReadingClient::Got ReadingClient::read_all(std::chrono::milliseconds silence) {
  while (true) {
    const Got got = read_once(silence);
    if (got != Got::bytes) return got;
  }
}

HttpResponse ReadingClient::read_one_response() {
  while (true) {
    HttpResponse response = read_response(text(), false);
    if (response.complete) {
      pieces_ = {text().substr(response.size)};
      return response;
    }
    if (read_once(kTimeout) != Got::bytes) return read_response(text(), true);
  }
}

void ReadingClient::shut_down_sending() { shutdown(fd_, SHUT_WR); }

void ReadingClient::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

std::string ReadingClient::text() const {
  std::string text;
  for (const std::string& piece : pieces_) text += piece;
  return text;
}

std::vector<std::size_t> ReadingClient::sizes() const {
  std::vector<std::size_t> sizes;
  for (const std::string& piece : pieces_) sizes.push_back(piece.size());
  return sizes;
}

}  // namespace splitproof::testee
