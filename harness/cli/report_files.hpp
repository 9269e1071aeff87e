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

/// What `--report` asks for.
class ReportFiles {
 public:
  /// Takes `FORMAT:PATH`. An Error for what is no format, for a path that cannot be written, so that this is said before
  /// anything runs, and for one that is given twice or taken.
  static Result<ReportFiles> make(const std::vector<std::string>& asked, const std::vector<TakenFile>& taken);

  /// Begins the parts of those that grow while a campaign goes on (PartOfFile). Complains where that fails, once.
  void begin(const report::Heading& heading);

  /// Adds to these what is new of a result: rows, and those that were not violated before.
  void grow(const results::RecordingResult& result, const report::Heading& heading);

  /// Writes them, and complains of those that cannot be written: returns how many. Of these the part stays.
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
  std::map<std::tuple<std::string, std::string, std::string>, bool>
      told_;  // by target, recording and rule: whether it was violated
};

}  // namespace splitproof::cli
