#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/recording/recording.hpp"
#include "harness/result.hpp"

namespace splitproof::dialect {

/// Feature of a recording that only exists for its client's request (docs/recordings.md).
inline constexpr const char* kRequestFeature = "request";

/// Returns a recording with a one-word answer for each protocol with readable requests. They have no request
/// yet.
const std::vector<recording::Recording>& answered_in_one_word();

/// Returns the ids of the recordings of a client's request, one for each of these protocols. For the request
/// "requests/CLIENT/NAME" and the protocol P, it is "requests/CLIENT/P/NAME".
std::vector<std::string> recording_ids_of_request(const std::string& id);

/// Reads a file with a client's request, `{"client": .., "title": .., "body": {..}}`, and returns its
/// recordings, whose upstreams answer one word. An Error names the file and the fault.
Result<std::vector<recording::Recording>> recordings_of_request(const std::string& id,
                                                                const std::string& path,
                                                                std::string_view text);

}  // namespace splitproof::dialect
