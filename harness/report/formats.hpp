#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::results {
struct RunHeading;
struct RecordingResult;
}  // namespace splitproof::results

namespace splitproof::report {

using Heading = results::RunHeading;
struct Summary;

/// A file format for the results of a campaign.
struct Format {
  std::string_view name;  ///< "jsonl", as in `--report jsonl:PATH`.
  std::string_view is;    ///< Description for `--help`.
  /// Returns the whole file. `complete = false`: the run was interrupted.
  std::string (*write)(const std::vector<results::RecordingResult>& results, const Heading& heading,
                       const Summary& summary, bool complete);
  bool grows = false;  ///< During a campaign, the results so far are next to the file (GrowingReport).
};

/// Returns all formats. A new format is a file and a line of this table.
std::span<const Format> formats();

}  // namespace splitproof::report
