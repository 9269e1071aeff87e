#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/result.hpp"
#include "harness/testee/splitproof_testee.h"

namespace splitproof::testee {

/// One of a library's translators (splitproof_variant).
struct Variant {
  std::string name;
  std::string says;
  std::string obligation;
  std::string seen;
  std::string upstream = {};  ///< Upstream protocol that it is made for; empty: any.
  std::string client = {};    ///< Client protocol that it is made for; empty: any.
  std::string profile = {};   ///< Profile under which its behaviour shows; empty: the default profile.

  bool operator==(const Variant&) const = default;
};

/// A shared library with the interface of splitproof_testee.h. It is never unloaded, because some of it may
/// still be in use.
class Library {
 public:
  /// Returns an Error if the file is missing, cannot be loaded, lacks a function, or has another version of
  /// the interface.
  static Result<std::shared_ptr<const Library>> open(const std::string& path);

  const std::string& path() const { return path_; }

  /// Returns the variants in the library's order.
  const std::vector<Variant>& variants() const { return variants_; }

  /// Returns an Error if the library has no variant of this name.
  Result<void> check_variant(const std::string& name) const;

  /// Returns the supported interface version that the library uses.
  unsigned abi() const { return abi_; }

  // Functions with the names of the interface.
  decltype(&splitproof_open) begin = nullptr;
  decltype(&splitproof_feed) feed = nullptr;
  decltype(&splitproof_finish) finish = nullptr;
  decltype(&splitproof_cut) cut = nullptr;        // may stay null
  decltype(&splitproof_fork) fork = nullptr;      // may stay null
  decltype(&splitproof_digest) digest = nullptr;  // may stay null
  decltype(&splitproof_close) close = nullptr;

 private:
  Library() = default;

  std::string path_;
  unsigned abi_ = SPLITPROOF_TESTEE_ABI;
  std::vector<Variant> variants_;
};

}  // namespace splitproof::testee
