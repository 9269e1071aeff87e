#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/record/recording_file.hpp"
#include "harness/recording/recording.hpp"

namespace splitproof::record {

/// One finished call, for the line about it and the table. It holds no secret.
struct CallReport {
  std::string file;  ///< Name of the recording without its folder and suffix; empty: not recorded.
  std::string method;
  std::string target;
  std::string model;
  int status = 0;  ///< 0: there was no response.
  std::size_t reads = 0;
  std::size_t bytes = 0;
  double seconds = 0;
  recording::End end = recording::End::complete;
  EndedBy by = EndedBy::provider;
  bool sound = false;
  bool unwritten = false;  ///< It should have been recorded, and its file could not be written.
  bool removed = false;    ///< The recording was removed, because only sound ones are kept.
  std::string why;         ///< Why it is not sound, or why it was not recorded.
};

/// Returns "call-0001  200  POST /messages  large-1  58 reads  4120 bytes  1.20 s  complete  sound".
std::string line_of(const CallReport& report);

/// Returns a table of all recorded calls, and a line with totals.
std::string table_of(const std::vector<CallReport>& reports);

}  // namespace splitproof::record
