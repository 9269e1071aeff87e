#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recording/recording.hpp"
#include "harness/result.hpp"

namespace splitproof::recording {

/// Properties that a captured body does not contain.
struct SseImport {
  std::string protocol;                                 ///< protocol of the upstream
  std::optional<std::vector<std::size_t>> chunk_sizes;  ///< in bytes; nullopt: the body came in one piece
  bool is_sse = false;       ///< it is an event stream, perhaps in a wrapper (capture.hpp)
  std::string request_file;  ///< JSON body of the request, in `protocol`; empty: none
  std::string title;
  std::shared_ptr<const nlohmann::json> provenance;  ///< an object, or null
};

/// Parses "118,40,7": sizes in bytes, each at least 1.
Result<std::vector<std::size_t>> parse_chunk_sizes(std::string_view text);

/// Converts the raw event-stream body in `file` to a recording named after it: status 200, complete, all
/// arrivals at 0.0 s. A warning names the wrapper of the body. Returns an Error if a file is unreadable or
/// not an event stream. Also returns one if the request is not a JSON object, or the sizes do not add up to
/// the body's.
Result<Recording> import_sse(const std::string& file, const SseImport& options);

}  // namespace splitproof::recording
