#include "proxy/wire/secret.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

namespace splitproof::wire::secret_test {
namespace {

std::string concealed(std::string text, std::string_view secret) {
  conceal(text, secret);
  return text;
}

// The same in a slow way: from left to right, the first match.
std::string replaced(std::string_view text, std::string_view wanted) {
  std::string made;
  while (!text.empty()) {
    const bool found = text.starts_with(wanted);
    made += found ? "[key]" : std::string(text.substr(0, 1));
    text.remove_prefix(found ? wanted.size() : 1);
  }
  return made;
}

TEST(Secret, IsReplacedWhereverItStands) {
  EXPECT_EQ(concealed("sk-12345", "sk-12345"), "[key]");
  EXPECT_EQ(concealed("bad key sk-12345, not sk-12345.", "sk-12345"), "bad key [key], not [key].");
  EXPECT_EQ(concealed("sk-12345sk-12345", "sk-12345"), "[key][key]");
  EXPECT_EQ(concealed("sk-sk-12345", "sk-12345"), "sk-[key]");
  EXPECT_EQ(concealed("sk-1234", "sk-12345"), "sk-1234");
  EXPECT_EQ(concealed("", "sk-12345"), "");
}

TEST(Secret, IsFoundWithItsSlashesEscaped) {
  EXPECT_EQ(concealed(R"(is a/bcdef/g and a\/bcdef\/g)", "a/bcdef/g"), "is [key] and [key]");
  EXPECT_EQ(concealed(R"(is a\/bcdef/g)", "a/bcdef/g"), R"(is a\/bcdef/g)");
}

TEST(Secret, ThatIsShortStays) { EXPECT_EQ(concealed("a word", "word"), "a word"); }

TEST(Secret, IsFoundInAnyTextAsASlowSearchFindsIt) {
  std::mt19937 random(1);
  const auto any = [&](std::size_t most) {
    std::string text;
    for (std::size_t size = random() % most; size > 0; --size) text += "ab"[random() % 5 == 0];
    return text;
  };
  std::size_t found = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string secret = any(4) + "aaaa" + any(3) + "aaaa";
    const std::string text = any(120);
    const std::string made = replaced(text, secret);
    found += made != text;
    ASSERT_EQ(concealed(text, secret), made) << text << " " << secret;
  }
  EXPECT_GT(found, 1000U);
}

}  // namespace
}  // namespace splitproof::wire::secret_test
