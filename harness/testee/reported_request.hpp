#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// Adds the upstream request that a testee reports if it does not call its upstream itself. `{"path": ..,
/// "headers": {..}, "body": {..}}` is a call; only the body is required. `{"status": 400}` means that it
/// refuses the client's request with this status. `upstream` is the protocol that provides the default path.
/// If `json` is invalid, returns the reason in one clause and adds nothing.
tl::expected<void, std::string> add_reported_request(std::string_view json, const std::string& upstream,
                                                     Observation& seen);

}  // namespace splitproof::testee
