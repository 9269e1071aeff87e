#include "proxy/server/address.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

namespace splitproof::server {
namespace {

constexpr int kHighestPort = 65535;

std::optional<int> port_of(std::string_view digits) {
  int port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  return whole && port >= 0 && port <= kHighestPort ? std::optional(port) : std::nullopt;
}

bool is_visible(char c) { return c > ' ' && c < 0x7F; }

}  // namespace

tl::expected<Address, std::string> parse_address(std::string_view text) {
  const auto wrong = [&] {
    return tl::make_unexpected("'" + std::string(text) +
                               "' is not HOST:PORT; write for example 127.0.0.1:8080");
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return wrong();
  std::string_view host = text.substr(0, colon);
  const std::string_view digits = text.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
    if (host.find(':') == std::string_view::npos) return wrong();
  } else if (host.find_first_of(":[]") != std::string_view::npos) {
    return wrong();
  }
  const auto port = port_of(digits);
  if (!port) return wrong();
  return Address{host.empty() ? "127.0.0.1" : std::string(host), *port};
}

bool is_loopback(std::string_view host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

std::string url_of(const Address& address) {
  const bool brackets = address.host.find(':') != std::string::npos;
  return "http://" + (brackets ? "[" + address.host + "]" : address.host) + ":" +
         std::to_string(address.port);
}

tl::expected<std::string, std::string> upstream_url(std::string_view base, std::string_view path) {
  const std::size_t scheme = base.starts_with("http://") ? 7 : base.starts_with("https://") ? 8 : 0;
  while (base.size() > scheme && base.ends_with('/')) base.remove_suffix(1);
  const std::string_view authority = base.substr(scheme, base.find('/', scheme) - scheme);
  const bool clean =
      std::all_of(base.begin(), base.end(), is_visible) && base.find_first_of("?#") == std::string_view::npos;
  if (scheme == 0 || authority.empty() || !clean)
    return tl::make_unexpected("the upstream must be a base URL, such as https://api.example.com/v1");
  if (authority.find('@') != std::string_view::npos)
    return tl::make_unexpected("the upstream's URL must not have credentials; clients send their own keys");
  // An IPv6 address has its colons inside brackets.
  const std::size_t colon =
      authority.find(':', authority.find(']') == std::string_view::npos ? 0 : authority.find(']'));
  if (colon != std::string_view::npos && port_of(authority.substr(colon + 1)).value_or(0) == 0) {
    return tl::make_unexpected("the upstream's port '" + std::string(authority.substr(colon + 1)) +
                               "' is not a number from 1 to 65535");
  }
  return std::string(base).append(path);
}

std::optional<std::string> websocket_base(std::string_view base) {
  if (!base.starts_with("ws://") && !base.starts_with("wss://")) return std::nullopt;
  return "http" + std::string(base.substr(2));
}

}  // namespace splitproof::server
