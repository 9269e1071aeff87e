#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/options.hpp"
#include "harness/report/formats.hpp"
#include "harness/report/jsonl.hpp"
#include "harness/report/summary.hpp"
#include "harness/result.hpp"
#include "harness/write_file.hpp"

namespace splitproof::cli {

/// A file that a report must not overwrite.
struct TakenFile {
  std::string path;  ///< Empty: none.
  std::string is;    ///< "is the expectation file".
};

/// The values of `--report` and `--since`.
struct ReportOptions {
  std::vector<std::string> files;  ///< FORMAT:PATH.
  std::string since;               ///< Report in JSON Lines of an earlier run; empty: none.
};

/// Adds `--report FORMAT:PATH` and `--since OLD.jsonl`.
void add_reports(Options& options, ReportOptions& reports);

/// The report that --json prints.
inline constexpr const char* kJsonReport = "jsonl:/dev/stdout";

/// Adds the report of --json to the reports of --report.
ReportOptions with_json(ReportOptions reports, bool json);

/// The files of `--report`.
class ReportFiles {
 public:
  /// Parses `FORMAT:PATH` and reads the earlier report. Returns an Error for an unknown format, and for a path
  /// that is repeated or taken. Also returns one for a path that is not writable, so that it is reported before
  /// the run.
  static Result<ReportFiles> make(const ReportOptions& asked, const std::vector<TakenFile>& taken);

  /// Reads the parts of results that an earlier run of the same plan and shard left next to its report. The
  /// Error names a field of the plan that differs, or an unreadable line.
  Result<void> resume(const report::Heading& heading);

  /// These parts.
  const std::vector<results::RecordingResult>& saved() const { return saved_; }

  /// Begins the files that are written during a campaign (PartOfFile), with the saved parts. Complains once
  /// on failure.
  void begin(const report::Heading& heading);

  /// Appends a part of a result.
  void grow(const results::RecordingResult& part, const report::Heading& heading);

  /// Writes the files. Complains about failures and returns their number. The parts of failed and of
  /// incomplete reports are kept.
  std::size_t write(const std::vector<results::RecordingResult>& results, const report::Heading& heading,
                    const report::Summary& summary, bool complete);

 private:
  struct File {
    const report::Format* format;
    std::string path;
    report::GrowingReport growing;
    PartOfFile part;
  };
  static bool writes(const File& file, const std::string& path);
  Result<void> read_earlier(const std::string& path);
  Result<void> take_finished(const std::string& path, const report::Heading& heading);

  std::vector<File> files_;
  std::string since_;
  std::optional<results::RunResult> earlier_;
  std::vector<results::RecordingResult> saved_;
};

}  // namespace splitproof::cli
