#include "proxy/server/web_page.hpp"

#include <arpa/inet.h>

#include <array>
#include <string>
#include <string_view>

#include "proxy/wire/ascii.hpp"

namespace splitproof::server {
namespace {

std::string media_type(std::string_view value) {
  value = value.substr(0, value.find(';'));
  while (!value.empty() && wire::is_blank(value.back())) value.remove_suffix(1);
  return wire::lowered(value);
}

// True for names that no other site can have: localhost, or the address itself.
bool is_own_name(std::string_view host) {
  const bool brackets = host.starts_with('[');
  const std::string name =
      wire::lowered(brackets ? host.substr(1, host.find(']') - 1) : host.substr(0, host.find(':')));
  std::array<unsigned char, sizeof(in6_addr)> address{};
  return name == "localhost" || name.ends_with(".localhost") ||
         inet_pton(brackets ? AF_INET6 : AF_INET, name.c_str(), address.data()) == 1;
}

}  // namespace

std::optional<RequestFault> refuse_web_page(const RequestHead& head, bool loopback) {
  const bool from_page = !head.field("origin").empty();
  const std::string type = media_type(head.field("content-type"));
  if (type != "application/json" && (!type.empty() || from_page))
    return RequestFault{415, "the body must be JSON; send the header 'Content-Type: application/json'"};
  return refuse_page_host(head, loopback);
}

std::optional<RequestFault> refuse_page_host(const RequestHead& head, bool loopback) {
  if (!loopback || head.field("origin").empty() || is_own_name(head.field("host"))) return std::nullopt;
  return RequestFault{403,
                      "the web page uses a host name that is not this machine's; use http://localhost or "
                      "http://127.0.0.1"};
}

}  // namespace splitproof::server
