#pragma once

#include <nlohmann/json_fwd.hpp>

#include "harness/import/imported_file.hpp"

namespace splitproof::imports {

/// Returns a member that is a number, or 0.
double number_at(const nlohmann::json& object, const char* key);

// The messages that a browser took from an event stream: `_eventSourceMessages` of a HAR file, with their times. `started` is
// the time of the request, in seconds since 1970.

/// Builds the stream of the messages, without comments and spaces, which the browser does not keep.
void take_messages(const nlohmann::json& messages, double started, ImportedResponse& response);

/// Divides a body that the file has too by its messages, if they are those of the body. Chromium writes them also for `fetch`.
void take_times_of_messages(const nlohmann::json& messages, double started, ImportedResponse& response);

}  // namespace splitproof::imports
