#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/result.hpp"
#include "harness/testee/copyable.hpp"
#include "harness/testee/fresh_folder.hpp"
#include "harness/testee/pipe_program.hpp"
#include "harness/testee/pipe_stream.hpp"
#include "harness/testee/process.hpp"
#include "harness/testee/served_streams.hpp"
#include "harness/testee/target_file.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// A translator in a program with the pipe protocol (docs/without-http.md), or in one a reader of event streams or a client
/// (docs/clients.md). Each exchange has a program to itself.
/// Programs are started as needed, one for each concurrent exchange, and serve the next exchange if no fault
/// occurred. Each chunk is one read of the program, so splits are exact.
///
/// Exchanges end with `skipped`, `hung` or `garbage` as in the protocol. They end with `crashed` if the
/// program ended, closed its output or sent `error`. A crash counts only if it occurs again in a new program.
/// The same holds for every fault of a program that had served before, because a case must not depend on
/// earlier cases. A fault that does not occur again is a mishap. So is an event between two exchanges, except
/// a normal exit.
///
/// If the program answers `fork` and `use`, its exchanges can be copied, and with `digest` compared.
class PipeTestee final : public Testee, public Copyable {
 public:
  /// `target` must be of kind `pipe`. `supervisor` and `stop` must outlive this. After a stop request,
  /// start() returns an Error, and running exchanges are `unavailable`.
  PipeTestee(TargetFile target, Supervisor& supervisor, const StopToken& stop)
      : Testee({.name = target.name,
                .client = target.client,
                .upstream = target.upstream,
                .outside = true,
                .cannot = target.cannot,
                .model = target.model,
                .max_concurrency = target.max_concurrency,
                .continues = target.continues}),
        target_(std::move(target)),
        supervisor_(supervisor),
        runs_on_(&supervisor),
        stop_(stop) {}

  /// Installs the target if necessary, and opens a trial exchange with a program that is then ended. If it
  /// reports its upstream request there, it reports one in each exchange. Returns an Error if the program
  /// cannot run, or if it ends or stays silent for `ready_within` before its first answer. Without an
  /// installation, programs run in the folder of the target file, which is also `{dir}`.
  Result<void> start() override;

  std::string version() const override { return version_; }

  /// Reports its version, the number of faults that did not occur again, and the number of programs that
  /// ended or wrote while idle.
  std::string remark() const override;

  std::vector<UnattributedFailure> mishaps() const override;

  /// Returns `unavailable` before `start` was called.
  Observation observe(const Exchange& exchange) const override;

  const Copyable* copyable() const override { return this; }
  bool copies() const override { return copying().copies; }
  bool compares() const override { return copying().compares; }
  Result<std::unique_ptr<CopyableStream>> open(const recording::Recording& recording) const override;

 private:
  Result<std::unique_ptr<PipeProgram>> launch() const;
  PipeCopying copying() const;
  PipeLimits limits(const Exchange& exchange) const;
  std::unique_ptr<PipeProgram> take_idle(const std::string& exchange) const;
  Observation observe_anew(const Exchange& exchange) const;
  Observation observe_again(const Exchange& exchange, const Observation& fault) const;
  struct PutThrough {
    Observation seen;
    bool was_over = false;  // the program had exited normally, without any of the exchange
  };
  PutThrough run_exchange(std::unique_ptr<PipeProgram> program, bool fresh, const Exchange& exchange) const;
  PutThrough run_read(std::unique_ptr<PipeProgram> program, bool fresh, const Exchange& exchange) const;
  void keep(std::unique_ptr<PipeProgram> program, bool fresh, std::string_view after,
            Observation& seen) const;
  struct Opening {
    std::string line;     // the first line of an exchange
    std::string request;  // the client's request in it; empty for a reader of events
  };
  Result<Opening> opening_of(const Exchange& exchange) const;
  const char* page() const;

  const TargetFile target_;
  Supervisor& supervisor_;
  Supervisor* runs_on_;  // the supervisor that runs the programs
  const StopToken& stop_;
  std::unique_ptr<ServedStreams> served_;  // null unless it is a client that reads a URL
  std::unique_ptr<FreshFolder> home_;      // folder for standard errors; null before the start
  Places places_;
  std::string version_;
  bool tells_what_it_asks_ = false;
  mutable std::mutex mutex_;  // guards the members below
  mutable std::vector<std::unique_ptr<PipeProgram>> idle_;
  mutable std::size_t launched_ = 0;
  mutable std::size_t uncalled_ = 0;  // programs that ended or wrote something between two exchanges
  mutable std::size_t passing_ = 0;   // faults that did not occur again
  mutable std::vector<UnattributedFailure> mishaps_;
  mutable std::once_flag tried_copying_;
  mutable PipeCopying copying_;
};

}  // namespace splitproof::testee
