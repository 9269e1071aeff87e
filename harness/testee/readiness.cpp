#include "harness/testee/readiness.hpp"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <charconv>
#include <string_view>
#include <system_error>

namespace splitproof::testee {
namespace {

constexpr std::string_view kScheme = "http://";
constexpr std::size_t kMostOfStatusLine = 4096;

// Returns the status in "HTTP/1.1 200 OK", 0 if it is incomplete, or -1 if it cannot come.
int status_in(std::string_view bytes) {
  constexpr std::string_view kVersion = "HTTP/1.";
  constexpr std::size_t kStatus = 9;  // "HTTP/1.1 "
  constexpr std::size_t kDigits = 3;
  if (bytes.substr(0, kVersion.size()) != kVersion.substr(0, bytes.size())) return -1;
  if (bytes.size() <= kStatus + kDigits) return bytes.size() > kMostOfStatusLine ? -1 : 0;
  int status = 0;
  const char* digits = bytes.data() + kStatus;
  const auto read = std::from_chars(digits, digits + kDigits, status);
  return read.ec == std::errc{} && read.ptr == digits + kDigits && status >= 100 ? status : -1;
}

Descriptor connected(const addrinfo& address, const Network& network, const StopToken& stop,
                     Deadline deadline) {
  Descriptor socket = network.socket(address.ai_family, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (socket.get() < 0) return {};
  if (connect(socket.get(), address.ai_addr, address.ai_addrlen) == 0) return socket;
  if (errno != EINPROGRESS || wait_for(socket.get(), POLLOUT, stop, deadline) != Io::done) return {};
  int failed = 0;
  socklen_t size = sizeof failed;
  if (getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &failed, &size) != 0 || failed != 0) return {};
  return socket;
}

}  // namespace

Result<HttpAddress> http_address(const std::string& url, const Network& network) {
  const auto refused = [&] {
    return tl::unexpected(Error{"'" + url + "' is not an http:// address", {}, 0, {}});
  };
  std::string_view rest = url;
  if (rest.substr(0, kScheme.size()) != kScheme) return refused();
  rest.remove_prefix(kScheme.size());
  HttpAddress address;
  address.network = &network;
  const std::size_t slash = rest.find('/');
  if (slash != std::string_view::npos) address.prefix = rest.substr(slash);
  while (!address.prefix.empty() && address.prefix.back() == '/') address.prefix.pop_back();
  rest = rest.substr(0, slash);
  const std::size_t bracket = rest.find(']');
  const std::size_t colon = rest.find(':', bracket == std::string_view::npos ? 0 : bracket);
  address.host = rest.substr(0, colon);
  if (bracket != std::string_view::npos) address.host = address.host.substr(1, bracket - 1);
  address.port = 80;
  if (colon != std::string_view::npos) {
    const char* end = rest.data() + rest.size();
    const auto read = std::from_chars(rest.data() + colon + 1, end, address.port);
    if (read.ec != std::errc{} || read.ptr != end) return refused();
  }
  if (address.host.empty() || address.port == 0) return refused();
  return address;
}

Descriptor connect_to(const HttpAddress& address, const StopToken& stop, Deadline deadline) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  if (getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found) != 0) return {};
  Descriptor socket;
  for (const addrinfo* each = found; socket.get() < 0 && each != nullptr; each = each->ai_next)
    socket = connected(*each, *address.network, stop, deadline);
  freeaddrinfo(found);
  return socket;
}

bool accepts(const HttpAddress& address, const StopToken& stop, Deadline deadline) {
  return connect_to(address, stop, deadline).get() >= 0;
}

int status_of_get(const HttpAddress& address, const std::string& path, const StopToken& stop,
                  Deadline deadline, const Headers& headers) {
  const Descriptor socket = connect_to(address, stop, deadline);
  if (socket.get() < 0) return 0;
  const std::string host =
      address.host.find(':') == std::string::npos ? address.host : "[" + address.host + "]";
  std::string request = "GET " + address.prefix + path + " HTTP/1.1\r\nhost: " + host + ":" +
                        std::to_string(address.port) + "\r\naccept: */*\r\n";
  for (const Header& header : headers) request += header.name + ": " + header.value + "\r\n";
  request += "\r\n";
  if (send_all(socket.get(), request, stop, deadline) != Io::done) return 0;
  std::string answer;
  int status = 0;
  while (status == 0 && receive(socket.get(), answer, stop, deadline) == Io::done) status = status_in(answer);
  return status > 0 ? status : 0;
}

}  // namespace splitproof::testee
