#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "harness/result.hpp"
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
/// its output or said `error`. A crash counts only when it comes again in a new program, and so does every fault of a
/// program that had served before: what a case shows must not depend on which cases came before it.
class PipeTestee final : public Testee {
 public:
  /// Of a target file of kind `pipe`. The programs run in its folder, or in `places.dir` where it installs something;
  /// what they write to standard error goes to files in `places.home`, which exists. `supervisor` must outlive this.
  PipeTestee(TargetFile target, Places places, Supervisor& supervisor);

  std::string name() const override { return target_.name; }
  std::string client() const override { return target_.client; }
  std::string upstream() const override { return target_.upstream; }
  bool outside() const override { return true; }
  std::size_t at_once() const override { return target_.at_once; }
  const std::vector<std::string>& cannot() const override { return target_.cannot; }

  /// Starts a program, opens an exchange and ends the program again. An Error where it cannot be run, or ends or stays
  /// silent (for the target's `ready_within`) before it has answered anything.
  Result<void> start() override;

  /// Counts faults that did not come again in a new program, and programs that ended or wrote while nothing was asked.
  std::string remark() const override;

  Observation observe(const Exchange& exchange) const override;

 private:
  Result<std::unique_ptr<PipeProgram>> launch() const;
  std::unique_ptr<PipeProgram> take_idle() const;
  Observation observe_anew(const Exchange& exchange, bool again) const;
  Observation put_through(std::unique_ptr<PipeProgram> program, bool fresh, const Exchange& exchange) const;
  std::string opening(const Exchange& exchange) const;

  const TargetFile target_;
  const Places places_;
  Supervisor& supervisor_;
  mutable std::mutex mutex_;  // guards what follows
  mutable std::vector<std::unique_ptr<PipeProgram>> idle_;
  mutable std::size_t launched_ = 0;
  mutable std::size_t uncalled_ = 0;  // programs that ended or wrote something between two exchanges
  mutable std::size_t passing_ = 0;   // faults that did not come again
};

}  // namespace splitproof::testee
