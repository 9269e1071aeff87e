#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/result.hpp"
#include "harness/testee/library.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// What a testee in a library is called, and what it is told.
struct LibraryTarget {
  std::string name;
  std::string client;
  std::string upstream;
  std::string variant;                       ///< one that the library has; empty: what it does by default
  std::map<std::string, std::string> knobs;  ///< of the profile
  std::size_t max_concurrency = std::numeric_limits<std::size_t>::max();
  std::vector<std::string> cannot;

  /// It gives equal answers to equal exchanges, byte for byte, and never fails: it is held to that like the reference.
  bool deterministic = false;
};

/// A translator in a shared library, in this process. What is fed is one read of it, in an allocation of exactly its
/// size, so that a sanitizer sees a read beyond it. What the library says by `error` is a crash; where it
/// really crashes, or never returns, this process does too.
class LibraryTestee final : public Testee {
 public:
  LibraryTestee(std::shared_ptr<const Library> library, LibraryTarget target)
      : Testee({.name = target.name,
                .client = target.client,
                .upstream = target.upstream,
                .outside = !target.deterministic,
                .cannot = target.cannot,
                .max_concurrency = target.max_concurrency}),
        library_(std::move(library)),
        target_(std::move(target)) {}

  /// What the library says in `open`, in an exchange of its own; nothing where it says nothing, or fails, as it then does in
  /// every exchange.
  Observation asks(const recording::Recording& recording) const override;
  Observation observe(const Exchange& exchange) const override;

 private:
  std::string opening(const std::string& request) const;

  std::shared_ptr<const Library> library_;
  LibraryTarget target_;
};

}  // namespace splitproof::testee
