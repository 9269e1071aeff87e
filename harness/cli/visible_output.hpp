#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace splitproof::cli {

/// During its lifetime, output to a stream is visible text that does not control a terminal or CI. Escapes
/// control characters, direction marks and ill-formed UTF-8 (visible.hpp). Also escapes commands to GitHub
/// ("::" at the beginning of a line, "##[" anywhere). On a terminal, colours and the erasing of a line are
/// allowed. A stream that was flushed after each output is flushed after each line.
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
  std::string waiting_;        // of an unfinished line
  bool at_line_start_ = true;  // only blanks of the line were printed
};

}  // namespace splitproof::cli
