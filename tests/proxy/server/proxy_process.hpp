#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace splitproof::server {

/// The splitproof-proxy of a test, which SPLITPROOF_PROXY names. The destructor kills it.
class ProxyProcess {
 public:
  /// Starts it on a free port, with `config` as its configuration file unless that is empty, and waits until it
  /// listens.
  explicit ProxyProcess(const std::string& upstream_url, const std::string& config = {},
                        const std::vector<std::string>& more = {"--seed", "1"});
  ~ProxyProcess();
  ProxyProcess(const ProxyProcess&) = delete;
  ProxyProcess& operator=(const ProxyProcess&) = delete;

  int port() const { return port_; }

  /// Returns its resident memory in bytes.
  std::size_t memory() const;

  /// Returns the limit of its open files.
  rlim_t open_files_at_most() const;

  /// True if it still runs.
  bool runs() const;

  /// Sends a signal without waiting.
  void send(int signal) const;

  /// Sends a signal, 0 for none, and waits for the end. Returns the exit code, or 128 plus the signal that killed it;
  /// -1: it did not end.
  int end(int signal);

  /// Returns its standard error; complete only after `end`.
  std::string log() const;

 private:
  pid_t child_ = -1;
  int port_ = 0;
  std::string folder_;
};

/// Output and exit code of a run without serving.
struct ProxyRun {
  int code = 0;
  std::string out;
  std::string err;
};
ProxyRun run_proxy(const std::vector<std::string>& arguments);

}  // namespace splitproof::server
