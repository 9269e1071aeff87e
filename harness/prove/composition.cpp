#include "harness/prove/composition.hpp"

#include <algorithm>
#include <typeinfo>
#include <utility>

namespace splitproof::prove {
namespace {

using testee::CopyableStream;
using testee::PieceFinder;

bool was_tried(const TriedFramers& tried, Chunk part, const CopyableStream& framer) {
  return std::any_of(tried.begin(), tried.end(), [&](const TriedFramer& other) {
    const CopyableStream& one = *other.framer;
    return other.part == part && typeid(one) == typeid(framer) && one.equals(framer);
  });
}

bool by_frames(const CopyableStream& stream, std::string_view body, recording::End end, Chunk part,
               TriedFramers& tried, std::uint64_t& feeds, const OnDifference& on_difference) {
  std::unique_ptr<CopyableStream> framer = stream.framer();
  const ByteWalk framed = walk_bytes(*framer->copy(), body, end, all_places(part.begin, part.end));
  if (!was_tried(tried, part, *framer)) {
    bool differs = false;
    const auto on_different_frame = [&](const ChunkDifference& difference) {
      differs = true;
      return on_difference(difference);
    };
    if (!find_differences(framed, feeds, on_different_frame)) return false;
    if (!differs) tried.push_back({part, std::move(framer)});
  }
  std::vector<std::size_t> places{part.begin};
  for (std::size_t i = 1; i < framed.places.size(); ++i)
    if (framed.said[i] > framed.said[i - 1] || framed.places[i] == part.end)
      places.push_back(framed.places[i]);
  return find_differences(walk_bytes(*stream.copy(), body, end, std::move(places)), feeds, on_difference);
}

// A finder of pieces, byte by byte.
struct PieceWalk {
  std::vector<std::unique_ptr<PieceFinder>> states;  // at each place of the part
  std::vector<std::size_t> next;  // for each place, the end of its piece, or the end of the part
  std::vector<bool> whole;        // the piece really ends there
};

PieceWalk walk_pieces(PieceFinder& finder, std::string_view body, Chunk part) {
  const std::size_t places = part.end - part.begin + 1;
  PieceWalk walk{{}, std::vector<std::size_t>(places, part.end), std::vector<bool>(places)};
  for (std::size_t at = 0; at < part.begin; ++at) finder.take(body.substr(at, 1));
  std::size_t begun = part.begin;
  for (std::size_t at = part.begin;; ++at) {
    walk.states.push_back(finder.copy());
    if (at == part.end) return walk;
    if (!finder.take(body.substr(at, 1)).whole) continue;
    for (; begun <= at; ++begun) {
      walk.next[begun - part.begin] = at + 1;
      walk.whole[begun - part.begin] = true;
    }
  }
}

bool find_different_pieces(const PieceWalk& walk, std::string_view body, Chunk part, std::uint64_t& feeds,
                           const OnDifference& on_difference) {
  const std::unique_ptr<PieceFinder> scratch = walk.states.front()->copy();
  for (std::size_t to = part.begin + 1; to <= part.end; ++to) {
    for (std::size_t from = to; from-- > part.begin;) {
      const std::size_t index = from - part.begin;
      const std::size_t end = std::min(walk.next[index], to);
      const bool whole = walk.whole[index] && walk.next[index] <= to;
      scratch->become(*walk.states[index]);
      const PieceFinder::Taken taken = scratch->take(body.substr(from, to - from));
      ++feeds;
      if (taken == PieceFinder::Taken{end - from, whole} && scratch->equals(*walk.states[end - part.begin]))
        continue;
      if (!on_difference({{from, to}, false})) return false;
    }
  }
  return true;
}

bool by_pieces(const CopyableStream& stream, std::string_view body, recording::End end, Chunk part,
               std::uint64_t& feeds, const OnDifference& on_difference) {
  const PieceWalk pieces = walk_pieces(*stream.pieces(), body, part);
  if (!find_different_pieces(pieces, body, part, feeds, on_difference)) return false;
  std::vector<std::size_t> reach;
  for (const std::size_t next : pieces.next) reach.push_back(next - part.begin);
  return find_differences(walk_bytes(*stream.copy(), body, end, all_places(part.begin, part.end)), reach,
                          feeds, on_difference);
}

}  // namespace

bool is_composed(const CopyableStream& stream) {
  return stream.framer() != nullptr || stream.pieces() != nullptr;
}

bool find_composed_differences(const CopyableStream& stream, std::string_view body, recording::End end,
                               Chunk part, TriedFramers& tried, std::uint64_t& feeds,
                               const OnDifference& on_difference) {
  if (stream.framer() != nullptr) return by_frames(stream, body, end, part, tried, feeds, on_difference);
  return by_pieces(stream, body, end, part, feeds, on_difference);
}

}  // namespace splitproof::prove
