#pragma once

#include <span>
#include <string_view>

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::dialect {

/// What the harness knows of one protocol.
struct Dialect {
  std::string_view protocol;             ///< as recordings, contracts and target files name it
  const SelfTestWords* words = nullptr;  ///< null: the self-test makes no kinds of flaw of it
};

/// All dialects, in the order in which lists name them.
std::span<const Dialect> all();

/// The dialect of a protocol; null where there is none.
const Dialect* find(std::string_view protocol);

}  // namespace splitproof::dialect
