#pragma once

#include <span>
#include <string_view>

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::dialect {

/// The self-test's knowledge of one protocol.
struct SelfTested {
  std::string_view protocol;
  const SelfTestWords* words = nullptr;
};

/// Returns all protocols for which it makes kinds of flaw. This is a separate library, because only the
/// self-test needs it.
std::span<const SelfTested> self_tested();

}  // namespace splitproof::dialect
