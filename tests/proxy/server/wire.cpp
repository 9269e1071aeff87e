#include "tests/proxy/server/wire.hpp"

#include <arpa/inet.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

namespace splitproof::server {
namespace {

using Clock = std::chrono::steady_clock;

bool ready(int descriptor, short events, std::chrono::milliseconds at_most = kTimeout) {
  pollfd polled{descriptor, events, 0};
  return poll(&polled, 1, static_cast<int>(at_most.count())) > 0;
}

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::map<std::string, std::string> headers_of(const std::string& head) {
  std::map<std::string, std::string> headers;
  std::size_t at = head.find("\r\n");
  while (at != std::string::npos && at + 2 < head.size()) {
    const std::size_t end = head.find("\r\n", at + 2);
    const std::string line = head.substr(at + 2, end - at - 2);
    const std::size_t colon = line.find(':');
    if (colon != std::string::npos)
      headers[lower(line.substr(0, colon))] =
          line.substr(std::min(line.find_first_not_of(' ', colon + 1), line.size()));
    at = end;
  }
  return headers;
}

}  // namespace

void give_up(const char* what) {
  std::perror(what);
  std::abort();
}

Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Socket Socket::to(int port, int receive_buffer) {
  Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (receive_buffer > 0)
    setsockopt(socket.descriptor_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
  const sockaddr_in address = loopback(port);
  if (connect(socket.descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    give_up("connect");
  return socket;
}

bool Socket::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    if (!ready(descriptor_, POLLOUT)) return false;
    const ssize_t n = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

std::size_t Socket::send_some(std::string_view bytes) const {
  const ssize_t n = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return static_cast<std::size_t>(std::max<ssize_t>(n, 0));
}

std::string Socket::receive() const {
  std::string bytes(65536, '\0');
  ssize_t n = 0;
  if (ready(descriptor_, POLLIN)) n = recv(descriptor_, bytes.data(), bytes.size(), 0);
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  return bytes;
}

bool Socket::readable() const { return ready(descriptor_, POLLIN, std::chrono::milliseconds(0)); }

bool Socket::peer_closes() const {
  std::array<char, 65536> bytes{};
  while (ready(descriptor_, POLLIN)) {
    if (recv(descriptor_, bytes.data(), bytes.size(), 0) <= 0) return true;
  }
  return false;
}

bool Socket::delivered() const {
  const Clock::time_point until = Clock::now() + kTimeout;
  int left = 1;
  while (ioctl(descriptor_, SIOCOUTQ, &left) == 0 && left > 0 && Clock::now() < until) {
    pollfd polled{descriptor_, 0, 0};
    if (poll(&polled, 1, 0) > 0) return false;  // the peer has broken the connection
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return left == 0;
}

void Socket::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

void Socket::reset() {
  const linger at_once{1, 0};
  setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close();
}

std::string as_chunk(std::string_view bytes) {
  std::array<char, 24> size{};
  std::snprintf(size.data(), size.size(), "%zx\r\n", bytes.size());
  return size.data() + std::string(bytes) + "\r\n";
}

Request UpstreamConnection::request() const {
  std::string bytes;
  std::size_t end = std::string::npos;
  while ((end = bytes.find("\r\n\r\n")) == std::string::npos) {
    const std::string more = receive();
    if (more.empty()) return {};
    bytes += more;
  }
  Request request{bytes.substr(0, bytes.find("\r\n")), headers_of(bytes.substr(0, end + 2)),
                  bytes.substr(end + 4)};
  const std::size_t size = std::strtoul(request.headers["content-length"].c_str(), nullptr, 10);
  while (request.body.size() < size) {
    const std::string more = receive();
    if (more.empty()) return {};
    request.body += more;
  }
  return request;
}

bool UpstreamConnection::begin_stream() const {
  return send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
}

void UpstreamConnection::answer(const std::string& status, const std::string& headers,
                                const std::string& body) {
  send("HTTP/1.1 " + status + "\r\n" + headers + "Content-Length: " + std::to_string(body.size()) +
       "\r\n\r\n" + body);
  delivered();
  close();
}

Upstream::Upstream() : listening_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (bind(listening_.descriptor(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      listen(listening_.descriptor(), 256) != 0 ||
      getsockname(listening_.descriptor(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    give_up("listen");
  }
  port_ = ntohs(address.sin_port);
}

UpstreamConnection Upstream::accept() const {
  int connection = -1;
  if (ready(listening_.descriptor(), POLLIN))
    connection = accept4(listening_.descriptor(), nullptr, nullptr, SOCK_CLOEXEC);
  const int yes = 1;
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return UpstreamConnection(Socket(connection));
}

bool Upstream::waiting() const {
  return ready(listening_.descriptor(), POLLIN, std::chrono::milliseconds(0));
}

bool Client::post(const std::string& path, const std::string& body, const std::string& headers) const {
  return socket_.send("POST " + path + " HTTP/1.1\r\nHost: proxy\r\nContent-Type: application/json\r\n" +
                      headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
}

bool Client::read_until(const std::function<bool()>& enough) {
  while (!enough()) {
    if (whole_) return false;
    const std::string bytes = socket_.receive();
    if (bytes.empty()) return false;
    raw_ += bytes;
    parse();
  }
  return true;
}

int Client::status() const { return head_.empty() ? 0 : std::atoi(head_.c_str() + head_.find(' ')); }

std::string Client::header(const std::string& name) const {
  const auto headers = headers_of(head_);
  const auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

void Client::next_response() {
  raw_.erase(0, at_);
  at_ = 0;
  head_.clear();
  body_.clear();
  whole_ = false;
  parse();
}

void Client::parse() {
  if (head_.empty()) {
    const std::size_t end = raw_.find("\r\n\r\n", at_);
    if (end == std::string::npos) return;
    head_ = raw_.substr(at_, end + 2 - at_);
    at_ = end + 4;
  }
  if (header("transfer-encoding") != "chunked") {
    const std::size_t size = std::strtoul(header("content-length").c_str(), nullptr, 10);
    const std::size_t n = std::min(size - body_.size(), raw_.size() - at_);
    body_ += raw_.substr(at_, n);
    at_ += n;
    whole_ = body_.size() == size;
    return;
  }
  while (!whole_) {
    const std::size_t line = raw_.find("\r\n", at_);
    if (line == std::string::npos) return;
    const std::size_t size = std::strtoul(raw_.c_str() + at_, nullptr, 16);
    if (raw_.size() < line + 2 + size + 2) return;
    body_ += raw_.substr(line + 2, size);
    at_ = line + 2 + size + 2;
    whole_ = size == 0;
  }
}

}  // namespace splitproof::server
