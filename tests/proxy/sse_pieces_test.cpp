#include "proxy/wire/sse_pieces.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "proxy/wire/sse_reader.hpp"

namespace splitproof::wire::sse_pieces_test {
namespace {

// Returns all pieces; the last may be unfinished.
std::vector<std::string> pieces_of(std::string_view bytes, std::size_t at_once) {
  SsePieces pieces;
  std::vector<std::string> all = {""};
  while (!bytes.empty()) {
    const SsePieces::Piece piece = pieces.take(bytes.substr(0, at_once));
    all.back() += bytes.substr(0, piece.size);
    if (piece.whole) all.emplace_back();
    bytes.remove_prefix(piece.size);
  }
  return all;
}

TEST(SsePieces, AreEventsWithTheirBlankLinesAndWhatStandsBeforeOne) {
  using Pieces = std::vector<std::string>;
  EXPECT_EQ(pieces_of("data: a\n\ndata: b\n\n", 99), (Pieces{"data: a\n\n", "data: b\n\n", ""}));
  EXPECT_EQ(pieces_of(": a\n: b\n\ndata: c\n: d\n\n", 99),
            (Pieces{": a\n", ": b\n", "\n", "data: c\n: d\n\n", ""}));
  EXPECT_EQ(pieces_of("a\r\n\r\n\r\nb\r\r", 99), (Pieces{"a\r\n\r\n", "\r\n", "b\r\r", ""}));
  EXPECT_EQ(pieces_of("\r\n: c\r\nd", 1), (Pieces{"\r", "\n", ": c\r", "\n", "d"}));
}

// Tries every stream of five significant bytes, whole, in two pieces and in single bytes.
TEST(SsePieces, HaveOneEventAtMostAndItsBlankLineEndsThem) {
  constexpr std::string_view kBytes = "\r\n:d";
  for (std::size_t number = 0; number < 4096; ++number) {
    std::string stream;
    for (std::size_t rest = number, i = 0; i < 6; ++i, rest /= 4)
      stream += rest % 4 == 3 ? "data" : std::string(1, kBytes[rest % 4]);
    for (const std::size_t at_once : {1U, 2U, 3U, 99U}) {
      SseReader reader(1000);
      std::vector<Frame> frames;
      for (const std::string& piece : pieces_of(stream, at_once)) {
        const std::size_t before = frames.size();
        for (const char& c : piece) {
          EXPECT_EQ(frames.size(), before) << "bytes of an event behind its end in " << number;
          reader.feed({&c, 1}, frames);
          if (frames.size() > before && &c != &piece.back()) {
            EXPECT_EQ(piece.substr(static_cast<std::size_t>(&c - piece.data()) + 1), "\n");
            break;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace splitproof::wire::sse_pieces_test
