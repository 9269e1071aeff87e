#pragma once

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::dialect {

/// What the self-test knows of Chat Completions.
extern const SelfTestWords kChatWords;

}  // namespace splitproof::dialect
