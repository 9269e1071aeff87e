#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::ui {

/// A report in JSON Lines, or the part of one that a running campaign writes.
struct ReportEntry {
  std::string name;                  ///< Of the file.
  bool grows = false;                ///< The campaign runs, or it was killed.
  std::vector<std::string> targets;  ///< From its first line.
  std::string verdict;               ///< From its last line; empty: it has none.
  std::size_t cases = 0;
  std::size_t findings = 0;
  std::int64_t written = 0;  ///< Time of the last change, in seconds since 1970.
};

/// A finding in a part of a report.
struct GrowingFinding {
  std::string target;
  std::string recording;
  std::string rule;
  std::string level;
  std::string message;
};

/// The lines that were added to a part of a report.
struct GrownPart {
  std::uint64_t next = 0;            ///< Offset after the last complete line.
  std::size_t rows = 0;              ///< Verdicts in these lines.
  std::vector<std::string> results;  ///< Pairs of target and recording in them, in one text each.
  std::vector<GrowingFinding> findings;
  bool ended = false;  ///< The part is gone: the campaign has ended.
};

/// A folder of reports. It serves only files of its own list.
class ReportFolder {
 public:
  explicit ReportFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Returns the reports, the latest first. Other files are left out.
  std::vector<ReportEntry> list() const;

  /// Returns the path of a listed file, or nullopt.
  std::optional<std::filesystem::path> find(const std::string& name) const;

  /// Reads complete lines of a part from an offset on, at most a few MB.
  Result<GrownPart> grown(const std::string& name, std::uint64_t from) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace splitproof::ui
