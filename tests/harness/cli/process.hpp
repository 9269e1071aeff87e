#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace splitproof::cli {

/// Results of a finished child process.
struct Finished {
  int code = 0;  ///< Exit code, or 128 plus the signal that killed it.
  std::string out;
  std::string err;
};

/// Options for starting a child.
struct Start {
  std::string in;                        ///< Its standard input.
  std::filesystem::path folder;          ///< Its working directory; empty: this process's.
  std::vector<std::string> environment;  ///< NAME=VALUE, added to this process's.
};

/// Runs a program to its end.
Finished run_program(const std::vector<std::string>& command, const Start& start = {});

/// Runs the built splitproof, which SPLITPROOF_PROGRAM names.
Finished splitproof(std::vector<std::string> arguments, const Start& start = {});

/// The same with a terminal as standard error, whose text is `err`. When that text contains `awaited`, the child gets
/// `signal`.
Finished splitproof_on_terminal(std::vector<std::string> arguments, const std::string& awaited, int signal);

/// Returns the last line of a text, without its line end.
std::string last_line(const std::string& text);
std::vector<std::string> lines_of(const std::string& text);

/// Returns a console report or a scorecard without what differs between two equal runs: the duration in the first
/// sentence, and the lines with the command, the time and the throughput.
std::string without_times(const std::string& report);

/// Returns the project's source tree.
std::filesystem::path source_root();

/// A temporary folder of one test.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string at(const std::string& name) const { return (root_ / name).string(); }
  std::string put(const std::string& name, const std::string& bytes) const;  ///< Returns its path.
  std::string text(const std::string& name) const;

 private:
  std::filesystem::path root_;
};

}  // namespace splitproof::cli
