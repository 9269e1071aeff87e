#pragma once

#include <string>

#include "harness/import/imported_file.hpp"
#include "harness/recording/recording.hpp"
#include "harness/result.hpp"

namespace splitproof::imports {

/// Properties of recordings that no captured response has.
struct RecordingHead {
  std::string id;
  std::string protocol;      ///< Protocol of the upstream.
  std::string content_type;  ///< For the response's header.
  std::string
      request_file;  ///< File with the request, as JSON; empty: the captured request, if there is one.
};

/// Makes a recording of a captured response. Its provenance names the format, the URL, the date and the boundaries
/// that the format kept. `file` is the path for errors. Returns an Error if the response cannot be written as a
/// recording, or if the request is not a JSON object.
Result<recording::Recording> recording_of(const ImportedResponse& response, const std::string& wrapper,
                                          const RecordingHead& head, const std::string& file);

}  // namespace splitproof::imports
