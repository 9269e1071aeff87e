#include "harness/cli/listen_address.hpp"

#include <charconv>
#include <system_error>

namespace splitproof::cli {

Result<ListenAddress> parse_listen_address(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const Error wrong{
      "--listen " + text + " is not HOST:PORT", {}, 0, "for example 127.0.0.1:0, or [::1]:8080"};
  if (colon == std::string::npos || colon == 0) return tl::unexpected(wrong);
  ListenAddress address{text.substr(0, colon), 0};
  const char* end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data() + colon + 1, end, address.port);
  if (error != std::errc() || read != end) return tl::unexpected(wrong);
  const bool bracketed = address.host.front() == '[' && address.host.back() == ']';
  if (bracketed) address.host = address.host.substr(1, address.host.size() - 2);
  if (address.host.empty() || bracketed != (address.host.find(':') != std::string::npos))
    return tl::unexpected(wrong);
  return address;
}

}  // namespace splitproof::cli
