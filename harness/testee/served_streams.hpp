#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "harness/result.hpp"
#include "harness/testee/network.hpp"
#include "harness/testee/pipe_program.hpp"
#include "harness/testee/socket.hpp"
#include "harness/testee/stand_in.hpp"
#include "harness/testee/target_file.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// Serves streams to clients that read a URL and report the answer (docs/clients.md):
///
///     stand-in ---- the exchange's script ----> client, in a program
///     harness  <--- told, told, answer -------- the same program, over its pipe
///
/// A client with `turns: 2` then makes the next request of the conversation at the same URL, if the stream comes in one read.
/// The stand-in answers it with a short stream, and the observation has it as a call.
///
/// Each exchange has a URL of its own, so several can run at once. The stand-in makes the next write after the kernel shows
/// that the client has read the last one (boundaries.hpp).
class ServedStreams {
 public:
  /// Serves the protocol of `target` in this network, which must outlive it.
  static Result<std::unique_ptr<ServedStreams>> start(const TargetFile& target, const Network& network);

  /// Runs an exchange with an idle program. The observation has the report (observe/read_answer.hpp) and the releases. It is
  /// `garbage` if the client did not read the URL, and `skipped` if the stream falls silent, because a client may then wait
  /// for ever. `wait` is the time for the answer, without the stream's own pauses. `reply` is the program's last reply.
  Observation run(PipeProgram& program, const Exchange& exchange, std::chrono::milliseconds wait,
                  const StopToken& stop, PipeReply& reply) const;

  /// Runs an exchange with a short stream, and finds out if the client reports the text while it arrives. Otherwise later
  /// exchanges have no holds. Returns why the client cannot be tested, or "".
  std::string try_out(PipeProgram& program, std::chrono::milliseconds wait, const StopToken& stop);

  /// Returns a remark for reports, or "".
  std::string remark() const;

 private:
  ServedStreams(const TargetFile& target, std::unique_ptr<StandIn> stand_in);

  const std::string protocol_;
  const std::string model_;
  const std::vector<std::string> unreported_;
  const bool continues_;
  const std::unique_ptr<StandIn> stand_in_;
  std::uint32_t salt_ = 0;
  bool tells_ = false;
  mutable std::atomic<std::uint32_t> tokens_ = 0;
  mutable std::atomic<bool> is_inexact_ = false;
};

}  // namespace splitproof::testee
