#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::results {
struct RunHeading;
struct RecordingResult;
struct Row;
}  // namespace splitproof::results

namespace splitproof::report {

using Heading = results::RunHeading;
struct Summary;

/// A file format for the results of a campaign.
struct Format {
  std::string_view name;  ///< "jsonl", as in `--report jsonl:PATH`
  std::string_view is;    ///< description for `--help`
  /// Returns the whole file. `complete = false`: the run was interrupted.
  std::string (*write)(const std::vector<results::RecordingResult>& results, const Heading& heading,
                       const Summary& summary, bool complete);
  /// Return the beginning and one row of a file that is written during a campaign; null: it is written at the
  /// end.
  std::string (*begin)(const Heading& heading) = nullptr;
  std::string (*row)(const results::RecordingResult& result, const results::Row& row,
                     const Heading& heading) = nullptr;
};

/// Returns all formats. A new format is a file and a line of this table.
std::span<const Format> formats();

}  // namespace splitproof::report
