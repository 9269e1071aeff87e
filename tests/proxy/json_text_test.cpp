#include "proxy/wire/json_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace splitproof::wire::json_text_test {
namespace {

TEST(JsonText, ForbiddenCharactersOfAStringAreEscaped) {
  std::string out = "x";
  append_quoted(out, std::string("a\"b\\c\n\r\t\b\x1f\0z", 12) + "\xE2\x82\xAC\x7F");
  EXPECT_EQ(out, "x\"a\\\"b\\\\c\\n\\r\\t\\b\\u001f\\u0000z\xE2\x82\xAC\x7F\"");
}

}  // namespace
}  // namespace splitproof::wire::json_text_test
