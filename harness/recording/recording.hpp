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

/// The end of a recording's file name.
inline constexpr std::string_view kSuffix = ".rec.jsonl";

/// How the upstream's response ended: properly; closed without the final chunk; reset; or it fell silent.
enum class End : std::uint8_t { complete, closed, reset, stall };

/// The name that files use: "complete", "closed", "reset" or "stall".
std::string_view name(End end);

/// One chunk as it arrived. The body up to the previous arrival's `end` had come before.
struct Arrival {
  double at = 0;        ///< seconds since the exchange began
  std::size_t end = 0;  ///< one past the chunk's last byte in the body

  bool operator==(const Arrival&) const = default;
};

/// One upstream exchange. Invariants, kept by load() and demanded by save(): arrivals have times that never
/// decrease and ends that strictly increase up to the body's size; `ended_at` is not before the last arrival;
/// `protocol` is of small letters, digits, dots, `-` and `_`; which ones are known is not known here; `status` is 100 to 599.
struct Recording {
  std::string id;        ///< file name without suffix; in a corpus, with its path: "tools/two-calls"
  std::string path;      ///< where it was loaded from, as given; empty when it was not
  std::string protocol;  ///< what the upstream spoke
  std::string title;
  int status = 200;
  std::map<std::string, std::string> headers;  ///< of the response, names as recorded
  std::string body;
  std::vector<Arrival> arrivals;
  End end = End::complete;
  double ended_at = 0;  ///< seconds, as in arrivals
  std::vector<std::string> features;
  std::shared_ptr<const nlohmann::json> requests;    ///< client protocol -> request body; null when absent
  std::shared_ptr<const nlohmann::json> expect;      ///< the meaning that must come out; null when absent
  std::shared_ptr<const nlohmann::json> provenance;  ///< where it comes from; null when absent
  std::vector<std::string> warnings;                 ///< what load() had to assume; not part of the file
};

/// Whether two recordings say the same. Compares the JSON parts by value, and neither `path` nor `warnings`.
bool operator==(const Recording& a, const Recording& b);

/// Whether its shape is that of a real stream: it was recorded, or its provenance names real streams (`after`) or public
/// reports (`incidents`) that it follows. What was written for this project without either, or made smaller of another,
/// shows what a stream may look like, and not that one does.
bool follows_real_stream(const Recording& recording);

/// Reads a recording from the text of its file; `path` names it in errors and gives it its id. Strict: every
/// line is UTF-8 and JSON, keys that the format does not know are errors, and the first thing wrong is the
/// Error, with its line. CR LF ends a line as well as LF. A text that ends before its last line was cut off
/// while recording: it loads as `reset`, with a warning, and without an unfinished chunk that no line end
/// follows.
Result<Recording> parse(std::string_view text, const std::string& path);

/// parse() of a file.
Result<Recording> load(const std::string& path);

/// The text of a recording's file: chunks as text where they are UTF-8, else as base64, so that parse() gives
/// back an equal recording. An Error names the invariant that does not hold, or the string that is not UTF-8.
Result<std::string> to_text(const Recording& recording);

/// Writes to_text() to `path`, replacing what is there, and makes missing folders.
Result<void> save(const Recording& recording, const std::string& path);

}  // namespace splitproof::recording
