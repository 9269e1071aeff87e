#include "harness/selftest/words_of.hpp"

#include "harness/dialect/registry.hpp"

namespace splitproof::selftest {

const dialect::SelfTestWords& words_of(std::string_view protocol) {
  static const dialect::SelfTestWords kUnknown;
  const dialect::Dialect* dialect = dialect::find(protocol);
  return dialect && dialect->words ? *dialect->words : kUnknown;
}

}  // namespace splitproof::selftest
