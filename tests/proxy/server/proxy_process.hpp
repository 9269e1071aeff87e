#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace splitproof::server {

/// A splitproof-proxy of a test's own, which SPLITPROOF_PROXY names. It is killed with this.
class ProxyProcess {
 public:
  /// Starts it on a free port, with `config` as its configuration file where it says anything, and waits until it
  /// listens.
  explicit ProxyProcess(const std::string& upstream_url, const std::string& config = {},
                        const std::vector<std::string>& more = {"--seed", "1"});
  ~ProxyProcess();
  ProxyProcess(const ProxyProcess&) = delete;
  ProxyProcess& operator=(const ProxyProcess&) = delete;

  int port() const { return port_; }

  /// Its resident memory, in bytes.
  std::size_t memory() const;

  /// How many files it may have open at once.
  rlim_t open_files_at_most() const;

  /// Whether it still runs.
  bool runs() const;

  /// Sends a signal and goes on.
  void send(int signal) const;

  /// Sends a signal, 0 for none, and waits for the end. The exit code, or 128 plus the signal that killed it; -1: it did not end.
  int end(int signal);

  /// What it wrote to standard error; whole only after `end`.
  std::string log() const;

 private:
  pid_t child_ = -1;
  int port_ = 0;
  std::string folder_;
};

/// What a run of it that does not serve wrote and how it ended.
struct ProxyRun {
  int code = 0;
  std::string out;
  std::string err;
};
ProxyRun run_proxy(const std::vector<std::string>& arguments);

}  // namespace splitproof::server
