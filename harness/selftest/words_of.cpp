#include "harness/selftest/words_of.hpp"

#include "harness/dialect/self_test_registry.hpp"

namespace splitproof::selftest {

const dialect::SelfTestWords& words_of(std::string_view protocol) {
  static const dialect::SelfTestWords kUnknown;
  for (const dialect::SelfTested& one : dialect::self_tested())
    if (one.protocol == protocol) return *one.words;
  return kUnknown;
}

}  // namespace splitproof::selftest
