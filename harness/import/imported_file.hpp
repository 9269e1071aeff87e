#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recording/recording.hpp"

namespace splitproof::imports {

/// The boundaries of a body's chunks that a file has kept.
enum class Segments : std::uint8_t {
  exact,   ///< Every read, or every transfer chunk.
  frames,  ///< Every event, but not the chunks that carried it.
  body,    ///< None.
};

/// Returns the name in recordings: "exact", "frames" or "body".
std::string_view name(Segments segments);

/// One streamed response in a file.
struct ImportedResponse {
  std::string place;  ///< In the file, such as "entry 3"; empty: the file is this response.
  std::string url;    ///< Without its query, which may have secrets; empty: unknown.
  int status = 200;
  std::string body;
  std::vector<recording::Arrival> arrivals;
  recording::End end = recording::End::complete;
  double ended_at = 0;  ///< Seconds, as in arrivals.
  Segments segments = Segments::body;
  std::string request;   ///< Body of the request, a JSON object; empty: unknown.
  std::string captured;  ///< Date and time as in the file; empty: unknown.
};

/// The streams of one file.
struct ImportedFile {
  std::string wrapper;  ///< The format around them, such as "a HAR file"; empty: the file is the stream.
  std::vector<ImportedResponse> streams;  ///< At least one.
  std::vector<std::string> left;          ///< Content of the file that is not in `streams`, as phrases.
};

/// Makes a body the only chunk of a response, which arrived at `at` seconds.
void take_as_one_chunk(ImportedResponse& response, std::string body, double at = 0);

/// Returns the URL without user name, query and fragment.
std::string without_secrets(std::string_view url);

}  // namespace splitproof::imports
