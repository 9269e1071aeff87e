#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "harness/coverage/coverage.hpp"
#include "harness/coverage/place_table.hpp"
#include "harness/descriptor.hpp"
#include "harness/testee/fresh_folder.hpp"
#include "harness/testee/socket.hpp"
#include "harness/testee/target_file.hpp"

namespace splitproof::coverage {

/// Coverage of a program by an agent: a small module that Node or Python loads before the program, or a header in a native
/// program (splitproof_coverage.h). Each process of the target has an agent, which connects to a Unix socket:
///
///     harness --- "\n" --------------------------------------------------------> agent
///            <--- {"files":[{"name":"src/a.js","reached":[3,4],"known":[1,3,4]}]} --
///
/// `known` has all lines with code, and comes with the first lines of a file. The target is not changed. It needs no
/// network, so `network: none` works too. Thread-safe.
class AgentCoverage final : public Coverage {
 public:
  /// Writes the agent into a new folder, and listens there. Adds to the target's environment all that loads the agent.
  /// `target.coverage` must be an agent for programs. `stop` must outlive this.
  static Result<std::shared_ptr<AgentCoverage>> attach(testee::TargetFile& target,
                                                       const testee::StopToken& stop);

  /// Asks all running processes of the target. The Error says that no agent came, that one is silent, or that no file of
  /// the target ran.
  Result<std::vector<std::uint32_t>> take() override;

  /// "FILE:LINE", or "edge:NUMBER" of a native program. The path is relative to the target's folder, or to its package.
  std::string name(std::uint32_t place) const override;
  std::vector<std::uint32_t> known() const override;

 private:
  struct Connection {
    Descriptor socket;
    std::string unread;
  };

  AgentCoverage(const testee::TargetFile& target, const testee::StopToken& stop,
                std::unique_ptr<testee::FreshFolder> folder, Descriptor listener);

  void accept_new();
  Result<testee::Io> ask(Connection& connection, std::vector<std::uint32_t>& reached);
  bool add(std::string_view line, std::vector<std::uint32_t>& reached);
  Error nobody_came() const;
  Error lacks(std::string what, std::string hint) const;

  const testee::TargetCoverage coverage_;
  const std::string path_;  // of the target file
  const testee::StopToken& stop_;
  const std::unique_ptr<testee::FreshFolder> folder_;
  const Descriptor listener_;
  mutable std::mutex mutex_;  // guards the members below
  std::vector<Connection> connections_;
  bool has_come_ = false;  // an agent has connected
  PlaceTable places_;
};

}  // namespace splitproof::coverage
