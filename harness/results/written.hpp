#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"
#include "harness/results/run.hpp"

namespace splitproof::results {

/// Writes a run as lines of JSON, whose whole is its written form: read_run() reads it back. A line may have more members than
/// are written here, for readers that want one line to say all; docs/reports.md tells of these. Every line ends with a line
/// feed.
class RunWriter {
 public:
  RunWriter();
  ~RunWriter();

  /// What the first line has beside what others want of it.
  nlohmann::ordered_json header(const RunHeading& header) const;

  /// The lines behind it: rules that the results speak of, and clients.
  std::string context(const RunResult& run);

  /// The line of a result, without its rows, behind those of long texts that are new.
  std::string result(const RecordingResult& result);

  /// What the line of a row has beside what others want of it; long texts that are new come before it.
  nlohmann::ordered_json row(const Row& row);

  /// Lines of the texts that row() named and no line has told yet.
  std::string bodies();

  /// What the last line has beside what others want of it.
  nlohmann::ordered_json end(const RunResult& run);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Reads a run back. One without its last line was broken off. An Error names the line that is none of a report, and the
/// member that cannot be read. `path` is named in errors.
Result<RunResult> read_run(std::string_view text, const std::string& path);

}  // namespace splitproof::results
