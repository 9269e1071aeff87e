#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/recording/recording.hpp"
#include "harness/result.hpp"

namespace splitproof::dialect {

/// The feature of a recording that is there for its client's request (docs/recordings.md).
inline constexpr const char* kRequestFeature = "request";

/// For each protocol whose requests can be read, a recording whose answer, one word, is of no interest. They have no request yet.
const std::vector<recording::Recording>& answered_in_one_word();

/// The ids of the recordings of a client's request, one for each of these protocols: of the request "requests/CLIENT/NAME"
/// that of the protocol P is "requests/CLIENT/P/NAME".
std::vector<std::string> recording_ids_of_request(const std::string& id);

/// Reads a file with a client's request, `{"client": .., "title": .., "body": {..}}`, and makes its recordings: the upstream
/// of each answers one word. An Error names the file and what is wrong with it.
Result<std::vector<recording::Recording>> recordings_of_request(const std::string& id,
                                                                const std::string& path,
                                                                std::string_view text);

}  // namespace splitproof::dialect
