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

/// The end of the name of a file with evidence.
inline constexpr std::string_view kSuffix = ".evidence.jsonl";

/// One exchange and all that was seen of it.
struct StoredExchange {
  std::string case_id;  ///< of the first of those cases with fewest cuts that looked like this
  std::size_t cases =
      1;                 ///< how many did; 0: it is what a body came to as its events arrived, for comparison
  std::string upstream;  ///< body that the upstream sent
  std::vector<std::size_t> cuts;  ///< where it was cut; ascending, within the body
  recording::End end = recording::End::complete;
  std::optional<int> status;       ///< that the upstream answered instead of the recorded one
  std::vector<std::size_t> holds;  ///< offsets; ascending
  std::optional<std::size_t> leave_at;
  testee::Observation seen;

  /// What the testee was put through; its views live as long as this. The conditions of holds are not kept: they hold
  /// at once.
  testee::Exchange exchange(const recording::Recording* recording) const;
};

/// What one testee did on one recording.
struct Evidence {
  std::string version;  ///< of the program that saw it; may be empty
  testee::Traits testee;
  std::string profile;  ///< that it was judged by; may be empty
  std::optional<recording::Recording>
      recording;  ///< without it, nothing that depends on it can be judged again
  std::vector<StoredExchange> exhibits;
};

/// Whether two say the same. Recordings compare as recording::operator== has it.
bool operator==(const StoredExchange& a, const StoredExchange& b);
bool operator==(const Evidence& a, const Evidence& b);

/// The text of a file that holds this, as docs/evidence.md lays it down: a head, and for each exhibit a line `case`,
/// one for each call, head, read and hold, and a line `end`. Bytes stand as text where they are UTF-8, else as base64.
/// Secrets are masked (testee/credentials.hpp), so parse() gives back what is equal but for those. An Error names what cannot
/// be written: times that are no numbers, reads that go backwards or beyond the body, cuts that do not ascend.
Result<std::string> to_text(const Evidence& evidence);

/// Reads it back. Strict, as recordings are: the first thing wrong is the Error, with its line. `path` is for messages.
Result<Evidence> parse(std::string_view text, const std::string& path);

/// parse() of a file.
Result<Evidence> load(const std::string& path);

/// Writes to_text() to `path`, replacing what is there, and makes missing folders.
Result<void> save(const Evidence& evidence, const std::string& path);

}  // namespace splitproof::evidence
