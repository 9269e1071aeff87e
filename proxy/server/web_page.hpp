#pragma once

#include <optional>

#include "proxy/server/request_head.hpp"

namespace splitproof::server {

/// Why a request that would be passed on is refused, because a web page of any site could have made it; none: no page could.
/// A browser sends a request of another site without asking first only if its content type is that of a form or of plain
/// text, or if it has none. So the body has to be declared as JSON, unless there is neither a content type nor an `Origin`.
///
/// `loopback`: the server listens on the loopback. A page whose own name was made to mean this machine ("DNS rebinding")
/// counts as of the same site. Browsers send its name in `Host`, beside an `Origin`.
std::optional<RequestFault> refuse_web_page(const RequestHead& head, bool loopback);

}  // namespace splitproof::server
