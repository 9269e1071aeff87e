#include "harness/prove/walk.hpp"

#include <numeric>
#include <utility>

namespace splitproof::prove {

using testee::CopyableStream;

std::vector<std::size_t> all_places(std::size_t begin, std::size_t end) {
  std::vector<std::size_t> places(end - begin + 1);
  std::iota(places.begin(), places.end(), begin);
  return places;
}

ByteWalk walk_bytes(CopyableStream& stream, std::string_view body, recording::End end,
                    std::vector<std::size_t> places) {
  ByteWalk walk{body, std::move(places), {}, {}, stream.opening(), {}};
  std::size_t fed = 0;
  const auto feed_to = [&](std::size_t place) {
    for (; fed < place; ++fed) stream.feed(body.substr(fed, 1), walk.out);
  };
  for (const std::size_t place : walk.places) {
    feed_to(place);
    walk.states.push_back(stream.copy());
    walk.said.push_back(walk.out.size());
    if (walk.failure.empty()) walk.failure = walk.states.back()->failure();
  }
  feed_to(body.size());
  if (walk.failure.empty()) walk.failure = stream.failure();
  stream.finish(end, walk.out);
  return walk;
}

bool find_differences(const ByteWalk& walk, const std::vector<std::size_t>& reach, std::uint64_t& feeds,
                      const OnDifference& on_difference) {
  const std::size_t base = walk.places.front();
  const std::unique_ptr<CopyableStream> scratch = walk.states.front()->copy();
  std::string out;
  std::size_t first = 0;
  for (std::size_t to = 1; to < walk.places.size(); ++to) {
    // The chunk ends where its allocation ends, so that a sanitizer detects a read beyond it.
    const std::string_view fed = walk.body.substr(base, walk.places[to] - base);
    const std::vector<char> exact(fed.begin(), fed.end());
    while (reach[first] < to) ++first;
    for (std::size_t from = to; from-- > first;) {
      const std::size_t begin = walk.places[from];
      scratch->become(*walk.states[from]);
      out.clear();
      scratch->feed({exact.data() + (begin - base), walk.places[to] - begin}, out);
      ++feeds;
      const bool same_output = out == walk.between(from, to);
      if (same_output && scratch->equals(*walk.states[to])) continue;
      if (!on_difference({{begin, walk.places[to]}, !same_output})) return false;
    }
  }
  return true;
}

bool find_differences(const ByteWalk& walk, std::uint64_t& feeds, const OnDifference& on_difference) {
  return find_differences(walk, std::vector<std::size_t>(walk.places.size(), walk.places.size() - 1), feeds,
                          on_difference);
}

}  // namespace splitproof::prove
