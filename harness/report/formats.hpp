#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::campaign {
struct RecordingResult;
struct Row;
}  // namespace splitproof::campaign

namespace splitproof::report {

struct Heading;
struct Summary;

/// A form in which the results of a campaign are written to a file.
struct Format {
  std::string_view name;  ///< "jsonl", as `--report jsonl:PATH` names it
  std::string_view is;    ///< what it is, for `--help`
  /// The whole file. `complete = false`: the run was broken off.
  std::string (*write)(const std::vector<campaign::RecordingResult>& results, const Heading& heading,
                       const Summary& summary, bool complete);
  /// Of one that grows while a campaign goes on, what it begins with, and one row; null: it is written at the end.
  std::string (*begin)(const Heading& heading) = nullptr;
  std::string (*row)(const campaign::RecordingResult& result, const campaign::Row& row,
                     const Heading& heading) = nullptr;
};

/// All there are. A new one is a file of its own and a line of this table.
std::span<const Format> formats();

}  // namespace splitproof::report
