#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recording/recording.hpp"

namespace splitproof::testee {

/// One upstream exchange as a testee gets it: the pieces of the body, in order, and how it ends.
struct Exchange {
  std::vector<std::string_view> chunks;
  recording::End end = recording::End::complete;
};

/// Everything a testee did on one exchange. Evidence: it holds no verdict.
struct Observation {
  std::string body;                      ///< downstream bytes
  std::vector<std::size_t> after_chunk;  ///< downstream bytes there were after each upstream chunk
};

/// What is being tested: translates one upstream protocol for clients of another.
class Testee {
 public:
  virtual ~Testee() = default;

  virtual std::string name() const = 0;      ///< as `--target` names it
  virtual std::string client() const = 0;    ///< protocol spoken to clients
  virtual std::string upstream() const = 0;  ///< protocol of its upstream

  /// Runs one exchange from the beginning. Called from several threads at once; equal exchanges may give
  /// different observations only if the testee itself is not deterministic.
  virtual Observation observe(const Exchange& exchange) const = 0;
};

}  // namespace splitproof::testee
