#pragma once

#include <string_view>

#include "proxy/server/answer.hpp"
#include "proxy/server/request_head.hpp"

namespace splitproof::server {

/// What the server itself refuses, as an error that the clients of this path know.
Answer refusal(std::string_view path, const RequestFault& fault);

/// The same where there is no room for a request. It says when to come again.
Answer no_room(std::string_view path, std::string_view message);

}  // namespace splitproof::server
