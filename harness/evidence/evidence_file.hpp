#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recording/recording.hpp"
#include "harness/result.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::evidence {

/// Suffix of evidence files.
inline constexpr std::string_view kSuffix = ".evidence.jsonl";

/// One exchange with everything observed.
struct StoredExchange {
  std::string case_id;            ///< Id of the first of these cases with the fewest cuts.
  std::size_t cases = 1;          ///< Cases with this behaviour; 0: event-by-event baseline.
  std::string upstream;           ///< Body that the upstream sent.
  std::vector<std::size_t> cuts;  ///< Offsets of cuts; ascending, within the body.
  recording::End end = recording::End::complete;
  std::optional<int> status;       ///< Error status that the upstream answered instead of the recorded one.
  std::vector<std::size_t> holds;  ///< Offsets; ascending.
  std::optional<std::size_t> leave_at;
  observe::FrameStyle frames;  ///< Frames of the upstream's messages over a WebSocket.
  testee::Observation seen;

  /// Returns the exchange; its views are valid as long as this object. The conditions of holds are not
  /// stored: they hold at once.
  testee::Exchange exchange(const recording::Recording* recording) const;
};

/// Behaviour of one testee on one recording.
struct Evidence {
  std::string version;  ///< Version of splitproof; may be empty.
  testee::Traits testee;
  std::string profile;                            ///< Profile of the run; may be empty.
  std::optional<recording::Recording> recording;  ///< nullopt: rules that need it cannot be judged again.
  std::vector<StoredExchange> exhibits;
  std::size_t begin =
      0;  ///< Planned cases of the recording and target before these; they are in other shards.
};

/// True if the contents are equal. Recordings are compared by recording::operator==.
bool operator==(const StoredExchange& a, const StoredExchange& b);
bool operator==(const Evidence& a, const Evidence& b);

/// Returns the text of an evidence file in the format of contracts/specifications/evidence.md: a head and a line `case`
/// for each exhibit. Lines for calls, head, reads and holds follow, then a line `end`. UTF-8 bytes are written as
/// text, others as base64. Secrets are masked (testee/credentials.hpp), so only they differ after parse().
/// Returns an Error for times that are not finite, reads that go backwards or beyond the body, and cuts that
/// do not ascend.
Result<std::string> to_text(const Evidence& evidence);

/// Parses the text strictly. The Error names the first defect with its line. `path` is for messages.
Result<Evidence> parse(std::string_view text, const std::string& path);

/// Calls parse() for a file.
Result<Evidence> load(const std::string& path);

/// Writes to_text() to `path`. Replaces the file and creates missing folders.
Result<void> save(const Evidence& evidence, const std::string& path);

}  // namespace splitproof::evidence
