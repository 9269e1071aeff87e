#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recording/recording.hpp"

namespace splitproof::imports {

/// One entry of `curl --trace`, or of `curl --trace-ascii`.
struct CurlBlock {
  enum class Kind : std::uint8_t { info, sent_head, sent_data, received_head, received_data, other };

  Kind kind = Kind::other;
  std::optional<double> at;  ///< Seconds since midnight, with --trace-time.
  std::string transfer;      ///< The ids of --trace-ids, which identify the transfer; or empty.
  std::string bytes;         ///< The text of an info, or the bytes of any other kind.
};

/// The blocks of a trace.
struct CurlTrace {
  std::vector<CurlBlock> blocks;
  bool is_ascii = false;        ///< A `.` stands for itself, or for any byte that is not printable ASCII.
  std::size_t other_lines = 0;  ///< Lines between blocks that are not part of the trace.
  std::string fault;            ///< Why the trace cannot be read; empty: it can.
  std::size_t line = 0;         ///< The line of the fault.
};

/// True if the text begins with a block.
bool begins_curl_trace(std::string_view text);

CurlTrace read_curl_trace(std::string_view text);

/// Returns a body of --trace-ascii with line ends in place of the dots between its lines. Returns nullopt if dots in a
/// JSON string may be other characters: two or more dots may be one character of several bytes. A single dot is taken
/// as a dot.
std::optional<std::string> with_line_ends(std::string body);

/// Returns the end of a response that an info of curl reports, or nullopt.
std::optional<recording::End> end_in(std::string_view info);

/// Returns the end of the stream in the output of curl -v, as the lines after its beginning report it.
recording::End end_in_log(std::string_view text);

}  // namespace splitproof::imports
