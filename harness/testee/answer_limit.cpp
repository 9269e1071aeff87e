#include "harness/testee/answer_limit.hpp"

#include <string_view>

namespace splitproof::testee {

std::size_t most_of_answer(const Exchange& exchange) {
  constexpr std::size_t kAlways = std::size_t{1} << 20;
  constexpr std::size_t kForEach = 256;
  constexpr std::size_t kMost = std::size_t{64} << 20;
  std::size_t upstream_bytes = 0;
  for (const std::string_view chunk : exchange.chunks) upstream_bytes += chunk.size();
  return upstream_bytes > (kMost - kAlways) / kForEach ? kMost : kAlways + kForEach * upstream_bytes;
}

}  // namespace splitproof::testee
