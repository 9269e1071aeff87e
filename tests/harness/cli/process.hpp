#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace splitproof::cli {

/// What a finished child process left behind.
struct Finished {
  int code = 0;  ///< exit code, or 128 plus the signal that killed it
  std::string out;
  std::string err;
};

/// How to start a child.
struct Start {
  std::string in;                        ///< its standard input
  std::filesystem::path folder;          ///< its working directory; empty: this process's
  std::vector<std::string> environment;  ///< NAME=VALUE, added to this process's
};

/// Runs a program to its end.
Finished run_program(const std::vector<std::string>& command, const Start& start = {});

/// Runs the splitproof that was built, which SPLITPROOF_PROGRAM names.
Finished splitproof(std::vector<std::string> arguments, const Start& start = {});

/// The same with a terminal for standard error, whose text is `err`. Once that text holds `awaited`, the
/// child gets `signal`.
Finished splitproof_on_terminal(std::vector<std::string> arguments, const std::string& awaited, int signal);

/// The last line of a text, without its line end.
std::string last_line(const std::string& text);
std::vector<std::string> lines_of(const std::string& text);

/// The project's source tree.
std::filesystem::path source_root();

/// A folder of one test's own, gone with it.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string at(const std::string& name) const { return (root_ / name).string(); }
  std::string put(const std::string& name, const std::string& bytes) const;  ///< returns its path
  std::string text(const std::string& name) const;

 private:
  std::filesystem::path root_;
};

}  // namespace splitproof::cli
