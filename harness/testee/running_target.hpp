#pragma once

#include <memory>
#include <string>

#include "harness/result.hpp"
#include "harness/testee/fresh_folder.hpp"
#include "harness/testee/installation.hpp"
#include "harness/testee/offered_port.hpp"
#include "harness/testee/process.hpp"
#include "harness/testee/readiness.hpp"
#include "harness/testee/socket.hpp"
#include "harness/testee/target_file.hpp"

namespace splitproof::testee {

/// A running target of kind http. Not thread-safe, except `running` and `end` while no thread restarts it.
class RunningTarget {
 public:
  /// Starts an installed target and waits until it is ready. It is ready when its `ready_path` answers a GET
  /// with a status below 500, or without one when its port accepts connections. `upstream` is the base URL of
  /// the stand-in. If the target file leaves the port open, a free one is chosen, and another one if it was
  /// taken meanwhile.
  ///
  /// Returns an Error if a fixed port is taken, if the target ended, or if it is not ready within
  /// `ready_within`. The Error has the last lines of its standard error. A target that already runs is only
  /// waited for. If the target file has no `listen`, the target is offered a free port as `{port}`, and is ready when it
  /// listens at any port. `supervisor` and `stop` must outlive the value. A stop request ends waits with an Error.
  static Result<std::unique_ptr<RunningTarget>> start(const TargetFile& target,
                                                      const Installation& installation,
                                                      const std::string& upstream, Supervisor& supervisor,
                                                      const StopToken& stop);

  /// Ends it, and removes its home.
  ~RunningTarget();

  /// Ends it if it runs, writes its files again, and starts it as above. The port may change.
  Result<void> restart();

  /// Returns its base URL: "http://127.0.0.1:40124", without a slash at its end.
  const std::string& base_url() const { return base_url_; }

  /// The `listen` of a target file for it: "http://127.0.0.1:{port}" if it listens at the port that it was offered. Empty if it
  /// chose another port: it may choose a new one at the next start.
  std::string listen() const;

  /// Same as in Process. A target that already ran always counts as running.
  bool running() const;
  std::string end() const;

  /// Returns the last lines of its standard error since the last start (last_lines).
  std::string said_last() const;

  const Places& places() const { return places_; }

 private:
  RunningTarget(const TargetFile& target, const Installation& installation, const std::string& upstream,
                Supervisor& supervisor, const StopToken& stop, std::unique_ptr<FreshFolder> folder);

  bool chooses_port() const;
  bool finds_port() const { return target_.listen.empty(); }
  Result<void> offer_port(const std::string& host);
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
  const std::string errors_;  // the file of its standard error
  Places places_;
  std::string base_url_;
  HttpAddress address_;
  OfferedPort offered_port_;  // by the name {port}; none if its `listen` has a fixed one
  std::unique_ptr<Process> process_;
};

}  // namespace splitproof::testee
