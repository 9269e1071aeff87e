#include "proxy/wire/json_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace splitproof::wire {
namespace {

TEST(JsonText, QuotesWhatMustNotStandInAString) {
  std::string out = "x";
  append_quoted(out, std::string("a\"b\\c\n\r\t\b\x1f\0z", 12) + "\xE2\x82\xAC\x7F");
  EXPECT_EQ(out, "x\"a\\\"b\\\\c\\n\\r\\t\\u0008\\u001f\\u0000z\xE2\x82\xAC\x7F\"");
}

TEST(JsonText, NestingCountsOutsideStringsOnly) {
  EXPECT_EQ(nesting(R"({"a":[1,{"b":2}],"c":[]})"), 3U);
  EXPECT_EQ(nesting(R"(["[[[\"[[["])"), 1U);
  EXPECT_EQ(nesting("]]]]["), 1U);
  EXPECT_EQ(nesting("\"["), 0U);
  EXPECT_EQ(nesting(std::string(100000, '[')), 100000U);
}

TEST(JsonText, PlainRefusesWhatIsNotJsonText) {
  EXPECT_TRUE(plain("{}"));
  EXPECT_FALSE(plain("\xEF\xBB\xBF{}"));
  EXPECT_FALSE(plain(std::string_view("{}\0x", 4)));
}

TEST(JsonText, RawValueKeepsBytes) {
  const std::string json =
      R"( {"a" : [ 10 , {"b":  {"n":12345678901234567890123, "n" : 1e400,"s":"}]\"" } } ], "a\u0062":1, "c":true} )";
  const auto at = [&](const std::vector<JsonStep>& path) { return std::string(raw_value(json, path)); };
  EXPECT_EQ(at({{"a"}, {"", 1}, {"b"}}), R"({"n":12345678901234567890123, "n" : 1e400,"s":"}]\"" })");
  EXPECT_EQ(at({{"a"}, {"", 0}}), "10");
  EXPECT_EQ(at({{"a"}, {"", 1}, {"b"}, {"n"}}), "1e400");
  EXPECT_EQ(at({{"c"}}), "true");
  EXPECT_EQ(at({{"a"}, {"", 2}}), "");
  EXPECT_EQ(at({{"missing"}, {"x"}}), "");
  EXPECT_EQ(at({{"c"}, {"x"}}), "");
  EXPECT_EQ(at({{"", 0}}), "");
}

TEST(JsonText, RawElementsFollowEachOther) {
  RawElements elements(R"([ {"a":[1,2]} ,"]",3 , [] ])");
  for (const char* expected : {R"({"a":[1,2]})", "\"]\"", "3", "[]", "", ""})
    EXPECT_EQ(elements.next(), expected);
  EXPECT_EQ(RawElements("[]").next(), "");
  EXPECT_EQ(RawElements(R"({"a":1})").next(), "");
  EXPECT_EQ(RawElements("").next(), "");
}

}  // namespace
}  // namespace splitproof::wire
