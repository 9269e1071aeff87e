#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/campaign/case.hpp"
#include "harness/hunt/probe.hpp"
#include "harness/result.hpp"
#include "harness/write_file.hpp"

namespace splitproof::hunt {

/// The settings on which the cases of a search depend.
struct LogHeading {
  std::string target;
  std::string client;
  std::string signal;  ///< "coverage" or "shapes".
  std::uint64_t seed = 0;
  std::string shard;      ///< "2/4"; empty: one search.
  std::string selection;  ///< Digest of recordings, contracts and profile.
  bool guided = true;

  bool operator==(const LogHeading&) const = default;
};

/// A case that reached something new.
struct KeptCase {
  std::size_t number = 0;  ///< Among all cases of the search, from 1.
  campaign::Case one;
  std::vector<Feature> fresh;  ///< The features that no earlier case reached, ascending.
  std::string violations;      ///< The rules it violated (shape.hpp); empty: none.

  bool operator==(const KeptCase&) const = default;
};

/// The log of a search: JSON Lines that only grow. It has all that a killed search needs to go on. Each line is written at once.
class SearchLog {
 public:
  /// Opens the log of a search, or begins it if the file is missing. Without a path, the log is only in memory. Drops a last
  /// line that was cut off.
  /// The Error names a line that is wrong, or the setting that differs from the log.
  static Result<SearchLog> open(const std::string& path, const LogHeading& heading);

  const std::vector<KeptCase>& kept() const { return kept_; }

  /// Returns the number of cases that the log knows to have run.
  std::size_t cases() const { return cases_; }

  Result<void> keep(const KeptCase& kept);

  /// Notes that so many cases have run. A search that goes on does not repeat them.
  Result<void> reach(std::size_t cases);

 private:
  Result<void> read(std::string_view text, const LogHeading& heading);
  Result<void> append(const std::string& line);

  std::string path_;
  Descriptor file_;
  std::vector<KeptCase> kept_;
  std::size_t cases_ = 0;
};

}  // namespace splitproof::hunt
