#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "harness/cli/options.hpp"
#include "harness/report/formats.hpp"
#include "harness/report/summary.hpp"
#include "harness/result.hpp"
#include "harness/write_file.hpp"

namespace splitproof::cli {

/// A file that a report must not overwrite.
struct TakenFile {
  std::string path;  ///< empty: none
  std::string is;    ///< "is the expectation file"
};

/// Adds `--report FORMAT:PATH`.
void add_reports(Options& options, std::vector<std::string>& reports);

/// The files of `--report`.
class ReportFiles {
 public:
  /// Parses `FORMAT:PATH`. Returns an Error for an unknown format, and for a path that is repeated or taken.
  /// Also returns one for a path that is not writable, so that it is reported before the run.
  static Result<ReportFiles> make(const std::vector<std::string>& asked, const std::vector<TakenFile>& taken);

  /// Begins the files that are written during a campaign (PartOfFile). Complains once on failure.
  void begin(const report::Heading& heading);

  /// Appends new rows of a result, and rows that are newly violated.
  void grow(const results::RecordingResult& result, const report::Heading& heading);

  /// Writes the files. Complains about failures and returns their number; their parts are kept.
  std::size_t write(const std::vector<results::RecordingResult>& results, const report::Heading& heading,
                    const report::Summary& summary, bool complete);

 private:
  struct File {
    const report::Format* format;
    std::string path;
    PartOfFile part;
  };
  static bool writes(const File& file, const std::string& path);

  std::vector<File> files_;
  // By target, recording and rule: true if it was violated.
  std::map<std::tuple<std::string, std::string, std::string>, bool> told_;
};

}  // namespace splitproof::cli
