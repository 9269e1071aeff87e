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

/// What is to be run. None of its texts may hold a NUL.
struct Launch {
  std::vector<std::string> command;        ///< found in the PATH of its own environment
  std::string folder;                      ///< working directory; empty: that of this program when it began
  std::map<std::string, std::string> env;  ///< beside the environment of this program
  std::string errors;                      ///< file that standard error is appended to; empty: nowhere
  bool pipes =
      false;  ///< standard input and output are pipes to this program; else empty, and the file of errors
  bool once =
      false;  ///< it does its work and ends: what it leaves running is ended then, and is not taken for a daemon
  bool confined =
      true;  ///< it is isolated as the system allows (Isolation); false: it has all that this program has
  std::vector<std::string> writable;  ///< folders that it may write to if it may not write to all
};

/// A program that runs. Whatever it starts ends with it. Any thread may ask it.
class Process {
 public:
  /// Ends it and all that it started, with SIGTERM and a second later with SIGKILL, and waits for that.
  virtual ~Process() = default;

  /// False as soon as the program has failed, whatever it left running: that is being ended. One that ends with exit
  /// code 0 and leaves processes behind has become a daemon: it runs as long as any of these. Never waits.
  virtual bool running() const = 0;

  /// How it ended: "exit code 1", "signal 11 (Segmentation fault)"; empty while it runs. Of a daemon: the last bad end
  /// of a process that it left behind, or else "exit code 0". Never waits.
  virtual std::string end() const = 0;

  /// Of one with pipes: where its standard output is read, and its standard input is written. They belong to this value
  /// and do not block. A write to a program that has gone raises SIGPIPE. -1 without pipes.
  virtual int output() const = 0;
  virtual int input() const = 0;

  /// Lets it read the end of its standard input.
  virtual void close_input() = 0;
};

/// Runs programs so that none outlives this one, however it ends: a process of its own, forked before there are threads,
/// which adopts what they leave behind and ends them all when this program is gone.
///
///   this program --- supervisor --- keeper --- program --- what it starts
///                               `-- keeper --- program
///
/// Supervisor and keepers have a session of their own, and so has each program: a signal from the terminal reaches this
/// program alone. Each keeper is the first process of a PID namespace, where the system allows that: its program cannot reach
/// any other process, and the kernel ends all in the namespace with the keeper. Otherwise it is a child subreaper (prctl(2)):
/// the kernel makes it the parent of whatever its program leaves behind. So everything that descends from a keeper, and
/// nothing else, belongs to its program.
///
/// A program has one Supervisor at a time. If that was killed, its destructor kills all that descends from this program.
class Supervisor {
 public:
  /// Ends all programs, and waits for that.
  virtual ~Supervisor() = default;

  /// To be called while the program has one thread; an Error where it has more. `apart`: how many there are to be for
  /// without_network.
  static Result<std::unique_ptr<Supervisor>> start(std::size_t apart = 0);

  /// The next of those apart. Its programs have a network of their own that has nothing but a loopback, and
  /// leads nowhere. They have a user namespace too, with this user alone in it. An Error where the system does not allow that.
  virtual Result<Supervisor*> without_network() = 0;

  /// The one that its programs have.
  virtual const Network& network() const = 0;

  /// How often its programs have tried to reach what is not on their network. 0 of those that have this program's: nobody
  /// counts.
  virtual std::size_t calls_elsewhere() const = 0;

  /// Starts a program, in a session of its own, with no descriptors but the standard ones and with default signal
  /// dispositions. Any thread may call it. An Error names the command and says why it cannot be started.
  virtual Result<std::unique_ptr<Process>> launch(const Launch& launch) = 0;
};

/// "it has no network, and tried 3 times to call elsewhere"; empty where its programs did not.
std::string remark_on_calls(const Supervisor& supervisor);

}  // namespace splitproof::testee
