#include "proxy/request/custom_input.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace splitproof::request::custom_input_test {
namespace {

// Returns the text, and expects it for any cuts of the arguments.
std::string text_of(std::string_view arguments) {
  std::string whole;
  CustomInput input;
  input.feed(arguments, whole);
  input.finish(whole);
  for (std::size_t a = 0; a <= arguments.size(); ++a) {
    for (std::size_t b = a; b <= arguments.size(); ++b) {
      CustomInput cut;
      std::string out;
      cut.feed(arguments.substr(0, a), out);
      cut.feed(arguments.substr(a, b - a), out);
      cut.feed(arguments.substr(b), out);
      cut.finish(out);
      EXPECT_EQ(out, whole) << "cut at " << a << " and " << b;
    }
  }
  return whole;
}

TEST(CustomInput, SaysWhatTheArgumentHolds) {
  EXPECT_EQ(text_of(R"({"input":""})"), "");
  EXPECT_EQ(text_of(" {\n\"input\" : \"a\\n\\\"b\\\\\\u0041\\ud83d\\ude00c\" }"),
            "a\n\"b\\A\xF0\x9F\x98\x80"
            "c");
  EXPECT_EQ(text_of(R"({"input":"a","more":"b"})"), "a");
  EXPECT_EQ(text_of(R"({"input":"\ud83d"})"), "\xEF\xBF\xBD");
}

TEST(CustomInput, OtherArgumentsAreTheTextAsTheyStand) {
  for (const char* arguments : {"{}", R"({"patch":"a"})", R"({"input":1})", R"({"inputs":"a"})", "{", ""})
    EXPECT_EQ(text_of(arguments), arguments);
}

TEST(CustomInput, SaysEachPieceAtOnce) {
  CustomInput input;
  std::string out;
  input.feed(R"({"input":"ab)", out);
  EXPECT_EQ(out, "ab");
  input.feed("\\", out);
  input.feed("n", out);
  EXPECT_EQ(out, "ab\n");
  input.feed("c\\u00", out);
  input.finish(out);
  EXPECT_EQ(out, "ab\nc") << "half an escape says nothing";
}

}  // namespace
}  // namespace splitproof::request::custom_input_test
