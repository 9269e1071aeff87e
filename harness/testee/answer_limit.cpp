#include "harness/testee/answer_limit.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>

namespace splitproof::testee {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

}  // namespace

std::size_t most_of_answer(const Exchange& exchange) {
  constexpr std::size_t kAlways = 1 * kMegabyte;
  constexpr std::size_t kForEach = 256;
  constexpr std::size_t kMuch = 16 * kMegabyte;
  constexpr std::size_t kForEachOfMany = 4;
  std::size_t upstream_bytes = 0;
  for (const std::string_view chunk : exchange.chunks) upstream_bytes += chunk.size();
  return std::min(kAlways + kForEach * upstream_bytes, kMuch + kForEachOfMany * upstream_bytes);
}

std::size_t most_of_calls(std::size_t request_bytes) {
  constexpr std::size_t kForEach = 16;
  return kMegabyte + kForEach * request_bytes;
}

std::chrono::milliseconds time_of_pauses(const Exchange& exchange) {
  const double seconds = std::accumulate(exchange.pauses.begin(), exchange.pauses.end(), 0.0);
  return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(seconds));
}

std::chrono::milliseconds longest_exchange(const Exchange& exchange, std::chrono::milliseconds silence) {
  constexpr auto kForWrite = std::chrono::milliseconds(1);
  constexpr auto kForHold = std::chrono::milliseconds(50);
  constexpr int kFew = 5;
  constexpr int kMany = 20;
  const auto writes = static_cast<std::int64_t>(exchange.chunks.size());
  const auto holds = static_cast<std::int64_t>(exchange.holds.size());
  return std::min(kMany * silence, kFew * silence + writes * kForWrite + holds * kForHold) +
         time_of_pauses(exchange);
}

}  // namespace splitproof::testee
