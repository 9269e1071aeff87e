#pragma once

#include <string_view>

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::selftest {

/// Returns the words of a protocol, or for an unknown protocol the words that all have.
const dialect::SelfTestWords& words_of(std::string_view protocol);

}  // namespace splitproof::selftest
