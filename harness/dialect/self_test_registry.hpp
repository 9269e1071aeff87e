#pragma once

#include <span>
#include <string_view>

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::dialect {

/// What the self-test knows of one protocol.
struct SelfTested {
  std::string_view protocol;
  const SelfTestWords* words = nullptr;
};

/// All protocols of which it makes kinds of flaw. A library of its own: only the self-test needs it.
std::span<const SelfTested> self_tested();

}  // namespace splitproof::dialect
