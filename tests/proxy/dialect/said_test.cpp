#include "proxy/dialect/said.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace splitproof::proxy::dialect::openai_responses::said_test {
namespace {

const std::string kHigh = "\xED\xA0\xBD";           // of the character below
const std::string kLow = "\xED\xB8\x80";            // the second half
const std::string kCharacter = "\xF0\x9F\x98\x80";  // U+1F600
const std::string kReplacement = "\xEF\xBF\xBD";

std::string rest(const std::vector<std::string>& pieces, const std::string& whole) {
  Said said;
  for (const std::string& piece : pieces) said.add(piece);
  return said.rest_of(whole).value_or("another");
}

TEST(Said, TheRestIsWhatComesBehindIt) {
  const std::string whole = "a\xC3\xA4" + kCharacter + "z";
  for (std::size_t i = 0; i <= whole.size(); ++i) {
    for (std::size_t j = i; j <= whole.size(); ++j)
      EXPECT_EQ(rest({whole.substr(0, i), whole.substr(i, j - i)}, whole), whole.substr(j)) << i << " " << j;
  }
}

TEST(Said, AnotherTextHasNoRest) {
  EXPECT_EQ(rest({"a"}, ""), "another");
  EXPECT_EQ(rest({"a"}, "b"), "another");
  EXPECT_EQ(rest({"ab"}, "aab"), "another");
  EXPECT_EQ(rest({"ab"}, "a"), "another");
}

TEST(Said, HalvesOfACharacterAreThatCharacter) {
  EXPECT_EQ(rest({"a" + kHigh, kLow + "z"}, "a" + kCharacter + "zz"), "z");
  EXPECT_EQ(rest({"a" + kHigh}, "a" + kCharacter + "z"), kLow + "z");
  EXPECT_EQ(rest({"a" + kHigh}, "a" + kHigh), "");
  EXPECT_EQ(rest({"a" + kHigh}, "a" + kReplacement + "z"), "z");
  EXPECT_EQ(rest({"a" + kHigh}, "a\xF0\x9F\xA4\x80"), "another");
  EXPECT_EQ(rest({"a" + kHigh}, "az"), "another");
  EXPECT_EQ(rest({"a" + kHigh + "z"}, "a" + kReplacement + "z"), "");
}

TEST(Said, HalfACharacterIsSomething) {
  Said said;
  EXPECT_TRUE(said.nothing());
  said.add(kHigh);
  EXPECT_FALSE(said.nothing());
}

}  // namespace
}  // namespace splitproof::proxy::dialect::openai_responses::said_test
