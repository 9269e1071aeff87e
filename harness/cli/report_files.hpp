#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/report/formats.hpp"
#include "harness/report/summary.hpp"
#include "harness/result.hpp"

namespace splitproof::cli {

/// A file that a report must not overwrite.
struct TakenFile {
  std::string path;  ///< empty: none
  std::string is;    ///< "is the expectation file"
};

/// What `--report` asks for.
class ReportFiles {
 public:
  /// Takes `FORMAT:PATH`, and makes each file, so that one that cannot be written is said before anything runs; what an
  /// earlier run left there is gone from then on. An Error for what is no format, and for a path that is given twice or
  /// taken.
  static Result<ReportFiles> make(const std::vector<std::string>& asked, const std::vector<TakenFile>& taken);

  /// Writes them, and complains of those that cannot be written: returns how many.
  std::size_t write(const std::vector<campaign::RecordingResult>& results, const report::Heading& heading,
                    const report::Summary& summary, bool complete) const;

 private:
  struct File {
    const report::Format* format;
    std::string path;
  };
  std::vector<File> files_;
};

}  // namespace splitproof::cli
