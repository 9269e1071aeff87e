#pragma once

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::dialect {

/// The self-test's knowledge of Chat Completions.
extern const SelfTestWords kChatWords;

}  // namespace splitproof::dialect
