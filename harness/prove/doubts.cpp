#include "harness/prove/doubts.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace splitproof::prove {
namespace {

using testee::CopyableStream;

// Feeds the rest of the body byte by byte, and ends it. Returns the output.
std::string rest_of(CopyableStream& stream, const ByteWalk& walk, std::size_t at, recording::End end) {
  std::string out;
  for (; at < walk.body.size(); ++at) stream.feed(walk.body.substr(at, 1), out);
  stream.finish(end, out);
  return out;
}

}  // namespace

std::string doubt_copies(const OpenStream& open, const ByteWalk& walk, recording::End end) {
  constexpr std::size_t kPlaces = 8;
  const std::size_t step = walk.body.size() / kPlaces + 1;
  for (std::size_t at = 0; at <= walk.body.size(); at += step) {
    const std::unique_ptr<CopyableStream> original = open();
    if (original == nullptr) return "it does not open each exchange";
    std::string before = original->opening();
    for (std::size_t fed = 0; fed < at; ++fed) original->feed(walk.body.substr(fed, 1), before);
    const std::unique_ptr<CopyableStream> fed_first = original->copy();
    const std::unique_ptr<CopyableStream> fed_last = original->copy();
    for (CopyableStream* stream : {fed_first.get(), original.get(), fed_last.get()})
      if (before + rest_of(*stream, walk, at, end) != walk.out)
        return fmt::format("its copies share a state: after byte {}, one changes the output of another", at);
  }
  return {};
}

std::string doubt_punctuality(const ByteWalk& walk) {
  for (std::size_t i = 0; i < walk.places.size(); ++i) {
    const std::unique_ptr<CopyableStream> state = walk.states[i]->copy();
    std::string out;
    state->feed({}, out);
    if (!out.empty())
      return fmt::format("its output is late: after byte {}, a feed without bytes has output",
                         walk.places[i]);
    if (!state->equals(*walk.states[i]))
      return fmt::format("after byte {}, a feed without bytes changes its state", walk.places[i]);
  }
  return {};
}

std::optional<FalseEquality> doubt_equality(const ByteWalk& walk, recording::End end,
                                            std::mt19937_64& random) {
  for (std::size_t to = 1; to < walk.places.size(); ++to) {
    const std::size_t from = random() % to;
    const Chunk chunk{walk.places[from], walk.places[to]};
    const std::unique_ptr<CopyableStream> state = walk.states[from]->copy();
    std::string out;
    state->feed(walk.body.substr(chunk.begin, chunk.end - chunk.begin), out);
    // Every other time in one piece.
    if (to % 2 == 0) {
      state->feed(walk.body.substr(chunk.end), out);
      state->finish(end, out);
    } else {
      out += rest_of(*state, walk, chunk.end, end);
    }
    if (out == std::string_view(walk.out).substr(walk.said[from])) continue;
    return FalseEquality{
        chunk,
        fmt::format("it calls two states after byte {} equal, but their later output differs", chunk.end)};
  }
  return std::nullopt;
}

}  // namespace splitproof::prove
