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
#include "harness/testee/readiness.hpp"
#include "harness/testee/socket.hpp"
#include "harness/testee/target_file.hpp"

namespace splitproof::coverage {

/// Coverage by an agent of the user's, with the protocol of the agents of WuppieFuzz (src/coverage_clients/lcov_client.rs in its
/// repository), which exist for several languages. Numbers are in hexadecimal:
///
///     harness --- 01 C0C0 1007  40 DUMP RESET --------------------------> agent
///            <--- 01 C1C0  then any number of  11 SIZE LCOV  then  20 ---
///
/// DUMP and RESET are 01. SIZE has four bytes, the lowest first. The LCOV text has `SF:FILE` and then `DA:LINE,COUNT` for each
/// line with code. After RESET counts begin from 0. Thread-safe.
class TcpCoverage final : public Coverage {
 public:
  /// Connects at the first take(). The Error says that `target.coverage.at` is no address. `stop` must outlive this.
  static Result<std::shared_ptr<TcpCoverage>> at(const testee::TargetFile& target,
                                                 const testee::StopToken& stop);

  /// Asks the agent. It may have been started again since the last call. The Error says that nobody listens, or that the
  /// answer is wrong or empty.
  Result<std::vector<std::uint32_t>> take() override;

  /// "FILE:LINE", with the file as the agent names it.
  std::string name(std::uint32_t place) const override;
  std::vector<std::uint32_t> known() const override;

 private:
  TcpCoverage(const testee::TargetFile& target, testee::HttpAddress address, const testee::StopToken& stop)
      : path_(target.path), shown_(target.coverage.at), address_(std::move(address)), stop_(stop) {}

  bool ask();
  bool read(std::size_t size, std::string& bytes);
  Result<std::string> answer();
  std::vector<std::uint32_t> add(std::string_view lcov);
  Error lacks(std::string what, std::string hint) const;

  const std::string path_;   // of the target file
  const std::string shown_;  // HOST:PORT
  const testee::HttpAddress address_;
  const testee::StopToken& stop_;
  mutable std::mutex mutex_;  // guards the members below
  Descriptor socket_;
  std::string unread_;
  testee::Deadline deadline_;
  PlaceTable places_;
};

}  // namespace splitproof::coverage
