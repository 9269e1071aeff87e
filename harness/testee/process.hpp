#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/result.hpp"
#include "harness/testee/network.hpp"
#include "harness/testee/socket.hpp"

namespace splitproof::testee {

/// A program to run. Its texts must not contain NUL.
struct Launch {
  std::vector<std::string> command;        ///< Found in the PATH of its own environment.
  std::string folder;                      ///< Working directory; empty: this program's initial one.
  std::map<std::string, std::string> env;  ///< Additions to this program's environment.
  std::string errors;                      ///< File to which standard error is appended; empty: none.
  bool pipes =
      false;  ///< true: standard input and output are pipes to this program; false: empty input, and output
              ///< to the file of errors.
  bool once =
      false;  ///< It does its work and ends: processes that it leaves are ended, and do not count as a
              ///< daemon.
  bool confined =
      true;  ///< true: it is isolated as far as the system allows (Isolation); false: it has all rights of
             ///< this program.
  std::vector<std::string> writable;  ///< Folders that it may write to, if its writes are restricted.
};

/// A running program. Everything that it starts ends with it. Thread-safe.
class Process {
 public:
  /// Ends it and all that it started, with SIGTERM and a second later with SIGKILL, and waits for the end.
  virtual ~Process() = default;

  /// False as soon as the program has failed; its remaining processes are being ended. A program that exits
  /// with code 0 and leaves processes is a daemon, and runs as long as any of these. Never waits.
  virtual bool running() const = 0;

  /// Returns how it ended: "exit code 1", "signal 11 (Segmentation fault)", or "" while it runs. For a
  /// daemon, returns the last abnormal end of a process that it left, otherwise "exit code 0". Never waits.
  virtual std::string end() const = 0;

  /// Return descriptors for its standard output and input, or -1 without pipes. They belong to this object
  /// and do not block. A write after the program's end raises SIGPIPE.
  virtual int output() const = 0;
  virtual int input() const = 0;

  /// Closes its standard input.
  virtual void close_input() = 0;
};

/// Runs programs so that none outlives this one, however it ends. A separate process, forked before there are threads,
/// adopts what they leave and ends it all when this program has ended.
///
///   this program --- supervisor --- keeper --- program --- what it starts
///                               `-- keeper --- program
///
/// Supervisor and keepers have a session of their own, and so has each program. So a signal from the terminal reaches
/// only this program. If the system allows it, each keeper is the first process of a PID namespace. Then its program
/// cannot reach any other process, and the kernel ends the namespace with the keeper. Otherwise the keeper is a child
/// subreaper (prctl(2)): the kernel makes it the parent of processes that its program leaves. So exactly the
/// descendants of a keeper belong to its program.
///
/// A program has one Supervisor at a time. If its process was killed, the destructor kills all descendants of this
/// program.
class Supervisor {
 public:
  /// Ends all programs, and waits for their end.
  virtual ~Supervisor() = default;

  /// Must be called while the program has one thread, otherwise returns an Error. `apart` is the number of
  /// supervisors for without_network.
  static Result<std::unique_ptr<Supervisor>> start(std::size_t apart = 0);

  /// Returns the next supervisor without network. Its programs have a network with only a loopback, and a
  /// user namespace with only this user. Returns an Error if the system does not allow that. Thread-safe.
  virtual Result<Supervisor*> without_network() = 0;

  /// Returns the network of its programs.
  virtual const Network& network() const = 0;

  /// Returns the number of attempts of its programs to reach addresses outside their network. 0 if they have
  /// this program's network, because then nobody counts.
  virtual std::size_t calls_elsewhere() const = 0;

  /// Starts a program in a session of its own, with only the standard descriptors and default signal
  /// dispositions. Thread-safe. An Error names the command and the reason.
  virtual Result<std::unique_ptr<Process>> launch(const Launch& launch) = 0;
};

/// Returns "it has no network, and tried 3 times to call elsewhere", or "" without such attempts.
std::string remark_on_calls(const Supervisor& supervisor);

}  // namespace splitproof::testee
