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

/// A form in which the results of a campaign are written to a file.
struct Format {
  std::string_view name;  ///< "jsonl", as `--report jsonl:PATH` names it
  std::string_view is;    ///< what it is, for `--help`
  /// The whole file. `complete = false`: the run was broken off.
  std::string (*write)(const std::vector<results::RecordingResult>& results, const Heading& heading,
                       const Summary& summary, bool complete);
  /// Of one that grows while a campaign goes on, what it begins with, and one row; null: it is written at the end.
  std::string (*begin)(const Heading& heading) = nullptr;
  std::string (*row)(const results::RecordingResult& result, const results::Row& row,
                     const Heading& heading) = nullptr;
};

/// All there are. A new one is a file of its own and a line of this table.
std::span<const Format> formats();

}  // namespace splitproof::report
