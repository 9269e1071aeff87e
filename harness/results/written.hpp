#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"
#include "harness/results/run.hpp"

namespace splitproof::results {

/// Writes a run as lines of JSON; read_run() reads them back. A line may have further members for its
/// readers; docs/reports.md lists them. Every line ends with a line feed.
class RunWriter {
 public:
  RunWriter();
  ~RunWriter();

  /// Returns the first line's members, without further ones for readers.
  nlohmann::ordered_json header(const RunHeading& header) const;

  /// Returns the lines after it: rules of the results, and clients. Without results, all rules.
  std::string context(const RunResult& run);
  std::string context(const RunHeading& header);

  /// Returns the line of a result, without its rows, after the lines of its new long texts.
  std::string result(const RecordingResult& result);

  /// Returns the members of a row's line; its new long texts must come before it.
  nlohmann::ordered_json row(const Row& row);

  /// Returns lines for the texts of row() that are not written yet.
  std::string bodies();

  /// Returns the last line's members.
  nlohmann::ordered_json end(const RunResult& run);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The rules and clients of several reports. The shards of a campaign repeat these lines, and they are most of a small
/// report. So each line is parsed only once.
class SharedContext {
 public:
  SharedContext();
  ~SharedContext();

 private:
  friend class ReportReader;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Reads a run. A run without its last line was interrupted. The Error names the invalid line and the
/// unreadable member. `path` is for errors. Pass the same `shared` for several reports of a run.
Result<RunResult> read_run(std::string_view text, const std::string& path, SharedContext* shared = nullptr);

}  // namespace splitproof::results
