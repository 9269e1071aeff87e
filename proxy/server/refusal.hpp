#pragma once

#include <string_view>

#include "proxy/server/answer.hpp"
#include "proxy/server/request_head.hpp"

namespace splitproof::server {

/// Returns a refusal by the server itself, as an error in the protocol of this path.
Answer refusal(std::string_view path, const RequestFault& fault);

/// The same for a full server, with a time for the next attempt.
Answer no_room(std::string_view path, std::string_view message);

}  // namespace splitproof::server
