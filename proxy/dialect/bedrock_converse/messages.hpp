#pragma once

#include <string>

#include "proxy/request/asked.hpp"

namespace splitproof::proxy::dialect {

/// Returns the elements of `system`, as JSON.
std::string converse_system(const request::Asked& asked);

/// Returns the elements of `messages`, as JSON. Throws a Refusal.
std::string converse_messages(const request::Asked& asked);

}  // namespace splitproof::proxy::dialect
