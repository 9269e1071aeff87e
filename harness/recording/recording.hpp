#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::recording {

/// Suffix of a recording's file name.
inline constexpr std::string_view kSuffix = ".rec.jsonl";

/// End of the upstream's response: proper end, close without the final chunk, reset, or silence.
enum class End : std::uint8_t { complete, closed, reset, stall };

/// Returns the name in files: "complete", "closed", "reset" or "stall".
std::string_view name(End end);

/// One chunk as it arrived, after the body up to the previous arrival's `end`.
struct Arrival {
  double at = 0;        ///< seconds since the exchange began
  std::size_t end = 0;  ///< one past the chunk's last byte in the body

  bool operator==(const Arrival&) const = default;
};

/// One upstream exchange. load() and save() enforce these invariants. Times of arrivals never decrease. Their
/// ends strictly increase up to the body's size. `ended_at` is not before the last arrival. `protocol`
/// consists of small letters, digits, dots, `-` and `_`; unknown protocols are allowed. `status` is 100 to
/// 599.
struct Recording {
  std::string id;        ///< file name without suffix; in a corpus, with its path: "tools/two-calls"
  std::string path;      ///< path that it was loaded from; empty if it was not loaded
  std::string protocol;  ///< protocol of the upstream
  std::string title;
  int status = 200;
  std::map<std::string, std::string> headers;  ///< of the response, names as recorded
  std::string body;
  std::vector<Arrival> arrivals;
  End end = End::complete;
  double ended_at = 0;  ///< seconds, as in arrivals
  std::vector<std::string> features;
  std::shared_ptr<const nlohmann::json> requests;    ///< client protocol -> request body; null if absent
  std::shared_ptr<const nlohmann::json> expect;      ///< the expected meaning of the output; null if absent
  std::shared_ptr<const nlohmann::json> provenance;  ///< source; null if absent
  std::vector<std::string> warnings;                 ///< assumptions of load(); not part of the file
};

/// True if both have the same content. Compares JSON parts by value; ignores `path` and `warnings`.
bool operator==(const Recording& a, const Recording& b);

/// True if its shape is known from real streams. Either it was recorded, or its provenance names real streams
/// (`after`) or public reports (`incidents`). Other hand-written or reduced recordings only show a possible
/// shape.
bool follows_real_stream(const Recording& recording);

/// Parses the text of a recording's file. `path` is for errors and determines the id. Strict: every line must
/// be UTF-8 and JSON, and unknown keys are errors. The Error names the first defect with its line. Lines end
/// in LF or CRLF. A text without its last line was truncated while recording. It loads as `reset`, with a
/// warning, and without an unfinished last chunk.
Result<Recording> parse(std::string_view text, const std::string& path);

/// Calls parse() for a file.
Result<Recording> load(const std::string& path);

/// Returns the text of a recording's file, so that parse() returns an equal recording. UTF-8 chunks are text,
/// others base64. The Error names the violated invariant or the string that is not UTF-8.
Result<std::string> to_text(const Recording& recording);

/// Writes to_text() to `path`. Replaces the file and creates missing folders.
Result<void> save(const Recording& recording, const std::string& path);

}  // namespace splitproof::recording
