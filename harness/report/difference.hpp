#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "harness/result.hpp"

namespace splitproof::report {

/// One result of a report in JSON Lines.
struct ReportRow {
  std::string level;
  std::string verdict;
  std::string reason;     ///< why it is not judged
  std::string message;    ///< what is wrong, of a violation
  std::string reproduce;  ///< the command that shows it
  std::size_t cases = 0;
  std::size_t violating = 0;
};

/// A report of a whole run, as far as it can be compared with another.
struct Report {
  /// Rows by target, recording and obligation.
  std::map<std::tuple<std::string, std::string, std::string>, ReportRow> rows;
  std::map<std::string, std::string> contracts;  ///< digests by file name
  std::vector<std::string> targets;
  std::vector<std::string> broken_off;  ///< targets that were not tested to the end
  std::string profile;
  std::string seed;
  bool strict = false;
};

/// Reads what jsonl_report wrote. Lines of a kind that is not known here are passed over; a report without its last line is
/// of a run that was broken off, and an Error. `path` is named in errors.
Result<Report> read_report(const std::string& text, const std::string& path);

/// What a version changed.
struct Difference {
  std::string text;    ///< for people, ending with a line that begins with "splitproof: "
  bool worse = false;  ///< a rule that decides is violated by a recording that did not violate it
};

/// Compares the results that both reports have; an Error where there are none. Where each is of one target, its name may
/// differ. What only one of them has is counted and decides nothing. With `strict`, or where the second run had that, rules of level `should` decide too.
Result<Difference> difference(const Report& before, const Report& after, bool strict);

}  // namespace splitproof::report
