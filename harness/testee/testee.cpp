#include "harness/testee/testee.hpp"

#include <array>

#include "harness/dialect/registry.hpp"

namespace splitproof::testee {

std::string_view name(Ending ending) {
  static constexpr std::array<std::string_view, 8> kNames{"complete", "cut",     "left",    "hung",
                                                          "crashed",  "garbage", "skipped", "unavailable"};
  return kNames[static_cast<std::size_t>(ending)];
}

bool Traits::takes(std::string_view protocol) const {
  if (!reads_events() || upstream != kAnyStream) return protocol == upstream;
  return dialect::format_of(protocol).framing == Framing::sse;
}

}  // namespace splitproof::testee
