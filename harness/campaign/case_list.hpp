#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/campaign/case.hpp"
#include "harness/recording/recording.hpp"
#include "harness/result.hpp"

namespace splitproof::campaign {

/// Cases that are listed one by one, instead of planned.
class CaseList {
 public:
  /// A case and its line in the file, counted from 1.
  struct Entry {
    Case one;
    std::size_t line = 0;
  };

  /// Parses a text with a case id on each line. Blank lines and lines that begin with `#` are ignored, and so is white space
  /// around an id. The Error names the line of the first id that is wrong. `file` is the file's name for errors.
  static Result<CaseList> parse(std::string_view text, const std::string& file);

  /// Returns a list of these cases, as lines 1, 2 and so on of a file.
  static CaseList of(const std::vector<Case>& cases, const std::string& file);

  /// Checks that each case names one of these recordings, and that the recording has its edits, recut, fault and split. The
  /// Error names the line.
  Result<void> check(const std::vector<recording::Recording>& recordings) const;

  /// Returns the cases in the order of the file.
  const std::vector<Entry>& entries() const { return entries_; }

  /// Returns the cases of a recording for clients of a protocol; a case without a client is for every protocol. Cases with
  /// the same body follow each other, in the order of the file otherwise.
  std::vector<Case> cases_of(const std::string& recording, const std::string& client) const;

 private:
  void add(Case one, std::size_t line);

  std::string file_;
  std::vector<Entry> entries_;
  std::map<std::string, std::vector<std::size_t>> by_recording_;  // indices of entries_
};

/// Returns a short word that differs for other cases: "12 cases 0123456789abcdef".
std::string digest_of_list(const CaseList& list);

}  // namespace splitproof::campaign
