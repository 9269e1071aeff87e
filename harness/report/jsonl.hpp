#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/report/summary.hpp"
#include "harness/results/result.hpp"

namespace splitproof::report {

/// Returns the report of a campaign as JSON Lines. It has a header, a line for each target, recording and
/// obligation, a line for each cause, and a footer with totals. `complete = false` omits the footer, which
/// marks an interrupted run.
std::string jsonl_report(const std::vector<results::RecordingResult>& results, const Heading& heading,
                         const Summary& summary, bool complete);

/// The report as it grows during a campaign. It has the first line, all rules, and the parts of results, but
/// no causes and no footer. results::read_run() reads it back.
class GrowingReport {
 public:
  GrowingReport();
  GrowingReport(GrowingReport&&) noexcept;
  GrowingReport& operator=(GrowingReport&&) noexcept;
  ~GrowingReport();

  /// Returns the lines before all parts.
  std::string begin(const Heading& heading);

  /// Returns the lines of a part. The last of them marks that the part is complete.
  std::string add(const results::RecordingResult& part, const Heading& heading);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns the text up to the last complete part of a report that grew until its program was killed, at any
/// byte. Returns "" if it has no complete part.
std::string_view saved_lines(std::string_view text);

}  // namespace splitproof::report
