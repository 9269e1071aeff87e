#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/result.hpp"
#include "harness/testee/copyable.hpp"
#include "harness/testee/library.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::testee {

/// Settings of a testee in a library.
struct LibraryTarget {
  std::string name;
  std::string client;
  std::string upstream;
  std::string variant;                       ///< One of the library's variants; empty: its default.
  std::map<std::string, std::string> knobs;  ///< Knobs of the profile.
  std::size_t max_concurrency = std::numeric_limits<std::size_t>::max();
  std::vector<std::string> cannot;

  std::shared_ptr<coverage::Coverage> coverage = {};  ///< Coverage of its own code; null: none.

  /// It gives equal answers to equal exchanges, byte for byte, and never fails. It is judged like the
  /// reference.
  bool deterministic = false;
};

/// A translator in a shared library, in this process. Each read is in an allocation of its own size, so that
/// a sanitizer detects a read beyond it. A call of `error` counts as a crash. If the library really crashes
/// or never returns, so does this process.
class LibraryTestee final : public Testee, public Copyable {
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

  /// Returns the upstream request that the library reports in `open`, in a separate exchange. Returns nothing
  /// if it reports none or fails, because it then fails in every exchange.
  Observation asks(const recording::Recording& recording) const override;
  Observation observe(const Exchange& exchange) const override;
  coverage::Coverage* coverage() const override { return target_.coverage.get(); }

  const Copyable* copyable() const override { return this; }
  bool copies() const override { return library_->fork != nullptr && library_->abi() != 1; }
  bool compares() const override { return copies() && library_->digest != nullptr; }
  Result<std::unique_ptr<CopyableStream>> open(const recording::Recording& recording) const override;

 private:
  std::string opening(const std::string& request) const;

  std::shared_ptr<const Library> library_;
  LibraryTarget target_;
};

}  // namespace splitproof::testee
