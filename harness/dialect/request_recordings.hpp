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

/// Reads a file with a client's request, `{"client": .., "title": .., "body": {..}}`, and makes a recording of it for each
/// protocol whose requests can be read: its upstream answers one word. Of the id "requests/CLIENT/NAME" that of the protocol P is
/// "requests/CLIENT/P/NAME". An Error names the file and what is wrong with it.
Result<std::vector<recording::Recording>> recordings_of_request(const std::string& id,
                                                                const std::string& path,
                                                                std::string_view text);

}  // namespace splitproof::dialect
