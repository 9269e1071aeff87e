// Mutates a stream as events, so that a fuzzer gets past the first brace: it makes one of the edits that `splitproof fuzz`
// makes too. One mutation in four is libFuzzer's own, of bytes.
//
// The first five bytes of an input are choices of the target, the rest is a stream.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/split/event_edit.hpp"
#include "harness/split/random_cuts.hpp"

using namespace splitproof;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

constexpr std::size_t kChoices = 5;

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  split::SplitMix64 random(seed);
  if (size <= kChoices || random.below(4) == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::string_view stream(reinterpret_cast<const char*>(data) + kChoices, size - kChoices);
  const std::string edit = split::draw_edit(stream, BodyFormat{}, {}, random);
  const auto edited = split::edit_events(stream, edit, BodyFormat{});
  if (!edited) return LLVMFuzzerMutate(data, size, max_size);
  const std::size_t changed = std::min(edited->body.size(), max_size - kChoices);
  std::copy_n(edited->body.begin(), changed, data + kChoices);
  return kChoices + changed;
}
