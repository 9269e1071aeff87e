#pragma once

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::dialect {

/// The self-test's knowledge of Gemini.
extern const SelfTestWords kGeminiWords;

}  // namespace splitproof::dialect
