#pragma once

#include <cstddef>
#include <string>

#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// The members of a response that repeat its request, as JSON without braces. A member that the request lacks, or has in a
/// form that no response can have, gets the default of the protocol. So does a member that does not fit into `most` bytes
/// with those before it: a response is sent three times in a stream.
std::string responses_echo(const wire::Json& request, std::size_t most);

}  // namespace splitproof::proxy::dialect
