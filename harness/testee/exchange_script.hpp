#pragma once

#include <string_view>

#include "harness/testee/response_script.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// Returns the stand-in's response for an exchange, with its holds: the head and the pieces of its recording, or an error
/// status with a JSON body. Without a recording, the status is 200 and the body has this content type.
ResponseScript script_of(const Exchange& exchange, std::string_view content_type);

}  // namespace splitproof::testee
