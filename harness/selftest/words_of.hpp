#pragma once

#include <string_view>

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::selftest {

/// What is known of a protocol; of one that is not known, what holds of all.
const dialect::SelfTestWords& words_of(std::string_view protocol);

}  // namespace splitproof::selftest
