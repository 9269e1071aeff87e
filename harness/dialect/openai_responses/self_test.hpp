#pragma once

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::dialect {

/// What the self-test knows of Responses.
extern const SelfTestWords kResponsesWords;

}  // namespace splitproof::dialect
