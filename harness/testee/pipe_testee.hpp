#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "harness/result.hpp"
#include "harness/testee/fresh_folder.hpp"
#include "harness/testee/pipe_program.hpp"
#include "harness/testee/process.hpp"
#include "harness/testee/target_file.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// A translator in a program of its own, spoken to over its standard input and output: docs/pipe.md. Each exchange has
/// a program to itself. Programs are started when one is needed, as many as there are exchanges at once, and after an
/// exchange without a fault serve the next. What is fed is one read of theirs, so splits are exact.
///
/// How its exchanges end: `skipped`, `hung`, `garbage` as the protocol says; `crashed` where the program ended, closed
/// its output or said `error`. A crash is the exchange's only when it comes again in a new program, and so is every fault
/// of a program that had served before: what a case shows must not depend on which cases came before it. A fault that
/// does not come again is a mishap, and so is what a program does between two exchanges, but for ending well.
class PipeTestee final : public Testee {
 public:
  /// Of a target file of kind `pipe`. `supervisor` and `stop` must outlive this. When `stop` is requested, start() ends with an
  /// Error, and exchanges that are under way are `unavailable`.
  PipeTestee(TargetFile target, Supervisor& supervisor, const StopToken& stop)
      : Testee({.name = target.name,
                .client = target.client,
                .upstream = target.upstream,
                .outside = true,
                .cannot = target.cannot,
                .model = target.model,
                .max_concurrency = target.max_concurrency}),
        target_(std::move(target)),
        supervisor_(supervisor),
        runs_on_(&supervisor),
        stop_(stop) {}

  /// Installs the target, where it asks for that, and opens an exchange on trial with a program that is ended again. One that
  /// says what it asks of its upstream then is one that says so of each exchange. An
  /// Error where the program cannot be run, or ends or stays silent (for the target's `ready_within`) before it has
  /// answered anything. Where nothing is to be installed, programs run in the folder of the target file, which is their
  /// `{dir}` then.
  Result<void> start() override;

  /// Its version; how many faults did not come again in a new program, and how many programs ended or wrote while nothing
  /// was asked of them.
  std::string remark() const override;

  std::vector<UnattributedFailure> mishaps() const override;

  /// `unavailable` before `start` has been called.
  Observation observe(const Exchange& exchange) const override;

 private:
  Result<std::unique_ptr<PipeProgram>> launch() const;
  std::unique_ptr<PipeProgram> take_idle(const std::string& exchange) const;
  Observation observe_anew(const Exchange& exchange) const;
  Observation observe_again(const Exchange& exchange, const Observation& fault) const;
  struct PutThrough {
    Observation seen;
    bool was_over = false;  // the program had ended well, and heard nothing of the exchange
  };
  PutThrough run_exchange(std::unique_ptr<PipeProgram> program, bool fresh, const Exchange& exchange) const;
  Result<std::string> request_of(const Exchange& exchange) const;

  const TargetFile target_;
  Supervisor& supervisor_;
  Supervisor* runs_on_;  // which runs them
  const StopToken& stop_;
  std::unique_ptr<FreshFolder> home_;  // where programs write what they have to say; null before the start
  Places places_;
  std::string version_;
  bool tells_what_it_asks_ = false;
  mutable std::mutex mutex_;  // guards what follows
  mutable std::vector<std::unique_ptr<PipeProgram>> idle_;
  mutable std::size_t launched_ = 0;
  mutable std::size_t uncalled_ = 0;  // programs that ended or wrote something between two exchanges
  mutable std::size_t passing_ = 0;   // faults that did not come again
  mutable std::vector<UnattributedFailure> mishaps_;
};

}  // namespace splitproof::testee
