#pragma once

#include <cstdint>
#include <string>

#include "harness/result.hpp"
#include "harness/testee/network.hpp"

namespace splitproof::testee {

/// A free port of a host, which no other target of this program is offered while this lives. A program takes a moment to
/// listen at its port. So another target could be offered the same one, and requests for it would reach the first.
class OfferedPort {
 public:
  OfferedPort() = default;

  /// Returns a port on which nobody listens now.
  static Result<OfferedPort> choose(const std::string& host, const Network& network);

  OfferedPort(OfferedPort&& other) noexcept;
  OfferedPort& operator=(OfferedPort&& other) noexcept;
  ~OfferedPort();

  /// 0: none.
  std::uint16_t number() const { return number_; }

 private:
  explicit OfferedPort(std::uint16_t number) : number_(number) {}

  std::uint16_t number_ = 0;
};

}  // namespace splitproof::testee
