#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/result.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::testee {

/// What is to be run.
struct Launch {
  std::vector<std::string> command;        ///< found in PATH
  std::string folder;                      ///< working directory
  std::map<std::string, std::string> env;  ///< beside the environment of this program
  std::string errors;                      ///< file that standard error is appended to
  bool pipes =
      false;  ///< standard input and output are pipes to this program; else empty, and the file of errors
};

/// A program that runs. Whatever it starts ends with it.
class Process {
 public:
  /// Ends it and all that it started, and waits for that.
  virtual ~Process() = default;

  virtual bool running() const = 0;

  /// How it ended: "exit code 1", "signal 11 (Segmentation fault)"; empty while it runs.
  virtual std::string end() const = 0;

  /// Of one with pipes: where its standard output is read, and its standard input is written.
  virtual int output() const = 0;
  virtual int input() const = 0;
};

/// Runs programs so that none outlives this one, however it ends: a process of its own, forked before there are threads,
/// which adopts what they leave behind and ends them all when this program is gone.
class Supervisor {
 public:
  virtual ~Supervisor() = default;

  /// To be called while the program has one thread.
  static Result<std::unique_ptr<Supervisor>> start();

  virtual Result<std::unique_ptr<Process>> launch(const Launch& launch) = 0;
};

}  // namespace splitproof::testee
