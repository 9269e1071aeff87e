#pragma once

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::dialect {

/// The self-test's knowledge of Anthropic Messages.
extern const SelfTestWords kAnthropicWords;

}  // namespace splitproof::dialect
