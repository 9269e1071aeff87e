#pragma once

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::dialect {

/// The self-test's knowledge of Converse.
extern const SelfTestWords kConverseWords;

}  // namespace splitproof::dialect
