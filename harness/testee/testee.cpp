#include "harness/testee/testee.hpp"

#include <array>

namespace splitproof::testee {

std::string_view name(Ending ending) {
  static constexpr std::array<std::string_view, 8> kNames{"complete", "cut",     "left",    "hung",
                                                          "crashed",  "garbage", "skipped", "unavailable"};
  return kNames[static_cast<std::size_t>(ending)];
}

}  // namespace splitproof::testee
