#pragma once

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::dialect {

/// What the self-test knows of Anthropic Messages.
extern const SelfTestWords kAnthropicWords;

}  // namespace splitproof::dialect
