#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/result.hpp"
#include "harness/testee/splitproof_testee.h"

namespace splitproof::testee {

/// One of the translators that a library holds; see splitproof_variant.
struct Variant {
  std::string name;
  std::string says;
  std::string obligation;
  std::string seen;
  std::string upstream = {};  ///< it is made for this protocol; empty: for none in particular
  std::string client = {};    ///< likewise
  std::string profile = {};   ///< under which it shows what it does; empty: the default one

  bool operator==(const Variant&) const = default;
};

/// A shared library behind the interface of splitproof_testee.h. Once opened it stays in the process, for nobody knows what
/// of it is still in use.
class Library {
 public:
  /// An Error where there is no such file, it cannot be loaded, lacks a function, or was made for another version of the
  /// interface.
  static Result<std::shared_ptr<const Library>> open(const std::string& path);

  const std::string& path() const { return path_; }

  /// In the library's order.
  const std::vector<Variant>& variants() const { return variants_; }

  /// An Error where the library has no variant of that name.
  Result<void> check_variant(const std::string& name) const;

  /// The version of the interface that it was made for, of those that are served.
  unsigned abi() const { return abi_; }

  // As the interface names them.
  decltype(&splitproof_open) begin = nullptr;
  decltype(&splitproof_feed) feed = nullptr;
  decltype(&splitproof_finish) finish = nullptr;
  decltype(&splitproof_cut) cut = nullptr;  // may stay null
  decltype(&splitproof_close) close = nullptr;

 private:
  Library() = default;

  std::string path_;
  unsigned abi_ = SPLITPROOF_TESTEE_ABI;
  std::vector<Variant> variants_;
};

}  // namespace splitproof::testee
