#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// Adds what a testee that does not call its upstream itself says that it asks: `{"path": .., "headers": {..}, "body": {..}}`,
/// of which all but the body may be left out, is a call; `{"status": 400}` says that it answers the client so instead.
/// `upstream` is the protocol whose usual path stands for none. What is wrong with it, in one clause, where it is no such
/// thing; then nothing was added.
tl::expected<void, std::string> add_reported_request(std::string_view json, const std::string& upstream,
                                                     Observation& seen);

}  // namespace splitproof::testee
