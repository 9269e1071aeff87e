#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace splitproof::cli {

/// As long as it lives, whatever is printed to a stream is text that people see, and that neither their terminal nor their
/// CI obeys: control characters, what turns the direction of text and bytes that are no UTF-8 are printed as escapes
/// (visible.hpp), and so is what would make a line a command to GitHub ("::" at its head, "##[" anywhere).
/// To a terminal, colours and the erasing of a line pass. A stream that was flushed after each output is so after each line.
class VisibleOutput final : public std::streambuf {
 public:
  VisibleOutput(std::ostream& stream, bool is_terminal);
  VisibleOutput(const VisibleOutput&) = delete;
  VisibleOutput& operator=(const VisibleOutput&) = delete;
  ~VisibleOutput() override;

 protected:
  int_type overflow(int_type byte) override;
  std::streamsize xsputn(const char* bytes, std::streamsize size) override;
  int sync() override;

 private:
  bool print(std::size_t size);

  std::ostream& stream_;
  std::streambuf* const printed_to_;
  const bool is_terminal_;
  const bool flushes_;
  std::string waiting_;        // of a line that has not ended
  bool at_line_start_ = true;  // nothing but blanks of it was printed
};

}  // namespace splitproof::cli
