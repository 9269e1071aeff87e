#pragma once

#include <cstddef>
#include <string>

#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Returns the members of a response that repeat its request, as JSON without braces. Absent and invalid members get
/// the protocol's default. So do members that exceed `most` bytes with those before: a stream contains the response
/// three times.
std::string responses_echo(const wire::Json& request, std::size_t most);

}  // namespace splitproof::proxy::dialect
