#pragma once

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::dialect {

/// The self-test's knowledge of Responses.
extern const SelfTestWords kResponsesWords;

}  // namespace splitproof::dialect
