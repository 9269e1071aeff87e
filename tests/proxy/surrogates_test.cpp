#include "proxy/wire/surrogates.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <vector>

namespace splitproof::wire::surrogates_test {
namespace {

std::string utf8(unsigned code_point) {
  std::string text;
  append_code_point(text, code_point);
  return text;
}

// The definition: the standard's UTF-16 decoder for a whole text.
std::string meant(const std::vector<unsigned>& units) {
  std::string text;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const bool high = units[i] >= 0xD800 && units[i] <= 0xDBFF;
    const bool low = units[i] >= 0xDC00 && units[i] <= 0xDFFF;
    const bool pair = high && i + 1 < units.size() && units[i + 1] >= 0xDC00 && units[i + 1] <= 0xDFFF;
    if (pair) {
      text += utf8(((units[i] & 0x3FF) << 10 | (units[i + 1] & 0x3FF)) + 0x10000);
      ++i;
    } else {
      text += high || low ? "\xEF\xBF\xBD" : utf8(units[i]);
    }
  }
  return text;
}

TEST(SurrogateJoiner, CodePointsInOneToFourBytes) {
  EXPECT_EQ(utf8(0x41), "A");
  EXPECT_EQ(utf8(0x7FF), "\xDF\xBF");
  EXPECT_EQ(utf8(0x800), "\xE0\xA0\x80");
  EXPECT_EQ(utf8(0xD83D), "\xED\xA0\xBD");
  EXPECT_EQ(utf8(0xFFFF), "\xEF\xBF\xBF");
  EXPECT_EQ(utf8(0x10000), "\xF0\x90\x80\x80");
  EXPECT_EQ(utf8(0x10FFFF), "\xF4\x8F\xBF\xBF");
  EXPECT_EQ(utf8(joined(0xD83D, 0xDE00)), "\xF0\x9F\x98\x80");
}

// For all texts of up to four units, in all pieces, output and waiting units depend only on the text.
TEST(SurrogateJoiner, AreJoinedWhereverTheyWereCut) {
  const std::vector<unsigned> alphabet = {'a', 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000};
  std::size_t texts = 0;
  for (std::size_t size = 0; size <= 4; ++size) {
    std::vector<std::size_t> letters(size, 0);
    for (std::size_t at = 0; at != size || size == 0;) {
      std::vector<unsigned> units;
      for (const std::size_t letter : letters) units.push_back(alphabet[letter]);
      for (unsigned cuts = 0; cuts < 1U << size; ++cuts) {
        SurrogateJoiner stepwise;
        SurrogateJoiner at_once;
        std::string out;
        std::string whole_out;
        std::string piece;
        std::string all;
        for (std::size_t i = 0; i < size; ++i) {
          piece += utf8(units[i]);
          all += utf8(units[i]);
          if ((cuts >> i & 1) == 0 && i + 1 < size) continue;
          stepwise.feed(piece, out);
          stepwise.feed("", out);
          piece.clear();
        }
        at_once.feed(all, whole_out);
        ASSERT_EQ(out, whole_out);
        ASSERT_EQ(stepwise, at_once);
        stepwise.finish(out);
        ASSERT_EQ(out, meant(units));
        ASSERT_EQ(whole(all), meant(units));
        ASSERT_EQ(stepwise, SurrogateJoiner());
      }
      ++texts;
      if (size == 0) break;
      for (at = 0; at < size && ++letters[at] == alphabet.size(); ++at) letters[at] = 0;
    }
  }
  std::cout << texts << " texts\n";
}

TEST(SurrogateJoiner, OnlyAHighHalfWaits) {
  SurrogateJoiner pairs;
  std::string out;
  pairs.feed("ab\xED\xA0\xBD", out);
  EXPECT_EQ(out, "ab");
  pairs.feed(
      "\xED\xB8\x80"
      "c",
      out);
  EXPECT_EQ(out,
            "ab\xF0\x9F\x98\x80"
            "c");
  pairs.feed("\xED\xB8\x80", out);
  EXPECT_EQ(out,
            "ab\xF0\x9F\x98\x80"
            "c\xEF\xBF\xBD");
}

}  // namespace
}  // namespace splitproof::wire::surrogates_test
