#pragma once

#include <optional>

#include "proxy/server/request_head.hpp"

namespace splitproof::server {

/// Refuses a request that a web page of any site could have made; returns none for other requests. A browser sends a
/// cross-site request without a preflight only with the content type of a form or plain text, or none. So the body has
/// to be declared as JSON, unless both the content type and `Origin` are absent.
///
/// `loopback`: the server listens on the loopback. Then a page whose own name resolves to this machine ("DNS
/// rebinding") counts as the same site. Browsers send its name in `Host`, next to an `Origin`.
std::optional<RequestFault> refuse_web_page(const RequestHead& head, bool loopback);

/// Refuses a request of a web page, with an `Origin`, whose `Host` is not a name of this machine, if the server listens
/// on the loopback; returns none for other requests.
std::optional<RequestFault> refuse_page_host(const RequestHead& head, bool loopback);

}  // namespace splitproof::server
