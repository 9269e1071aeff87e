#include "proxy/turn/json_progress.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "proxy/wire/json.hpp"

namespace splitproof::turn::json_progress_test {
namespace {

bool complete(const std::string& text) {
  JsonProgress progress;
  progress.feed(text);
  return progress.complete();
}

TEST(JsonProgress, IsCompleteWithTheByteThatClosesTheValue) {
  for (const std::string value :
       {R"({})", R"([])", R"({"a":[1,{"b":"}"}]})", R"(["]"])", R"("x\"y\\")", R"({"a":"\\\"}"})",
        R"({"a":"\u007d"})", " \n{}", R"([true,false,null,-0.5e+10,1E9])", "null",
        R"({ "a" : 1 , "b" : [ ] })"}) {
    SCOPED_TRACE(value);
    for (std::size_t size = 0; size < value.size(); ++size)
      EXPECT_FALSE(complete(value.substr(0, size))) << size;
    EXPECT_TRUE(complete(value));
    EXPECT_TRUE(complete(value + " \r\n\t"));
    EXPECT_FALSE(complete(value + " {}")) << "two values are not one";
    EXPECT_FALSE(complete(value + "x"));
  }
}

TEST(JsonProgress, ANumberEndsWithWhatFollowsIt) {
  for (const char* number : {"0", "12", "-1.5", "1e9", "1E+9"}) {
    EXPECT_FALSE(complete(number)) << number;
    EXPECT_TRUE(complete(std::string(number) + " ")) << number;
    EXPECT_TRUE(complete("[" + std::string(number) + "]")) << number;
  }
}

// Every text of up to five of these characters is complete exactly if the whole-text reader accepts it, apart from
// numbers that may continue.
TEST(JsonProgress, AgreesWithReadingTheWholeText) {
  const std::string letters = "{}[]\":,\\ 0-1.enulx";
  std::string text;
  std::size_t whole = 0;
  const std::function<void()> extend = [&] {
    const bool json = wire::check_json(text, 64) == wire::JsonFault::none;
    const std::size_t first = text.find_first_not_of(' ');
    const bool open_number =
        json && std::string("-01").find(text[first]) != std::string::npos && text.back() != ' ';
    EXPECT_EQ(complete(text), json && !open_number) << text;
    whole += json ? 1 : 0;
    if (text.size() == 4 || testing::Test::HasFailure()) return;
    for (const char letter : letters) {
      text += letter;
      extend();
      text.pop_back();
    }
  };
  extend();
  EXPECT_GT(whole, 400U);
}

TEST(JsonProgress, StateIsAFunctionOfTheText) {
  const std::string text = R"( {"a\u00e9":[1.5e3,{"b":null}],"c":"d"} )";
  JsonProgress whole;
  whole.feed(text);
  JsonProgress bytes;
  for (const char c : text) bytes.feed(std::string(1, c));
  EXPECT_EQ(whole, bytes);
}

}  // namespace
}  // namespace splitproof::turn::json_progress_test
