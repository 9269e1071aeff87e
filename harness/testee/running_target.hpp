#pragma once

#include <memory>
#include <string>

#include "harness/result.hpp"
#include "harness/testee/fresh_folder.hpp"
#include "harness/testee/installation.hpp"
#include "harness/testee/process.hpp"
#include "harness/testee/readiness.hpp"
#include "harness/testee/socket.hpp"
#include "harness/testee/target_file.hpp"

namespace splitproof::testee {

/// A target of kind http that serves. Not for several threads at once; only `running` and `end` may be asked from any,
/// while none restarts it.
class RunningTarget {
 public:
  /// Starts an installed target and waits until it is ready: until its `ready_path` answers a GET with a status below 500,
  /// or else its port accepts connections. `upstream` is the base URL of the stand-in. Where the target file leaves the port
  /// open, a free one is chosen, and another one where somebody else took it meanwhile; a fixed port that is taken is an
  /// Error. So is a target that ended, at once, or that is not ready within `ready_within`, with the last lines of what it
  /// wrote to standard error. One that runs already is only waited for. If the target file has no `listen`, it is ready when
  /// it listens at any port; it is offered a free one, as `{port}`. `supervisor` and `stop` must outlive the value;
  /// when a stop is requested, waits end with an Error.
  static Result<std::unique_ptr<RunningTarget>> start(const TargetFile& target,
                                                      const Installation& installation,
                                                      const std::string& upstream, Supervisor& supervisor,
                                                      const StopToken& stop);

  /// Ends it, and removes its home.
  ~RunningTarget();

  /// Ends it if it runs, writes its files anew, and starts it as above. The port may be another one afterwards.
  Result<void> restart();

  /// Where it serves: "http://127.0.0.1:40124", without a slash at its end.
  const std::string& base_url() const { return base_url_; }

  /// The `listen` of a target file for it: "http://127.0.0.1:{port}" if it listens at the port that it was offered. Empty if it
  /// chose another port: it may choose a new one at the next start.
  std::string listen() const;

  /// As Process says. One that ran already is taken to run on: nobody can tell.
  bool running() const;
  std::string end() const;

  /// The last lines of what it has written to standard error since it was started last; see last_lines.
  std::string said_last() const;

  const Places& places() const { return places_; }

 private:
  RunningTarget(const TargetFile& target, const Installation& installation, const std::string& upstream,
                Supervisor& supervisor, const StopToken& stop, std::unique_ptr<FreshFolder> folder);

  bool chooses_port() const;
  bool finds_port() const { return target_.listen.empty(); }
  Result<void> choose_address();
  bool found_port(Deadline others_count);
  bool is_ready(Deadline deadline);
  Result<void> launch();
  Result<void> wait_until_ready();
  bool lost_its_port() const;
  Error failure(const std::string& what) const;

  const TargetFile target_;
  Supervisor& supervisor_;
  const StopToken& stop_;
  const std::unique_ptr<FreshFolder> folder_;
  const std::string errors_;  // the file of what it writes to standard error
  Places places_;
  std::string base_url_;
  HttpAddress address_;
  std::string offered_port_;  // by the name {port}, if its `listen` is not known
  std::unique_ptr<Process> process_;
};

}  // namespace splitproof::testee
