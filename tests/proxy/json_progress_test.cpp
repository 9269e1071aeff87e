#include "proxy/turn/json_progress.hpp"

#include <gtest/gtest.h>

#include <string>

namespace splitproof::turn {
namespace {

// How many bytes of `text` it takes until the value is complete; 0 where it never is.
std::size_t complete_after(const std::string& text) {
  JsonProgress progress;
  for (std::size_t i = 0; i < text.size(); ++i) {
    progress.feed(text.substr(i, 1));
    if (progress.complete()) return i + 1;
  }
  return 0;
}

TEST(JsonProgress, IsCompleteWithTheByteThatClosesTheValue) {
  for (const std::string value : {R"({})", R"({"a":[1,{"b":"}"}]})", R"(["]"])", R"("x\"y\\")",
                                  R"({"a":"\\\"}"})", R"({"a":"\u007d"})", " \n{}"}) {
    SCOPED_TRACE(value);
    EXPECT_EQ(complete_after(value), value.size());
    EXPECT_EQ(complete_after(value + " {}"), value.size());
  }
}

TEST(JsonProgress, NeverWhereMoreMayFollow) {
  for (const char* text : {"", " ", "12", "true", "null", "{", R"({"a":"})", R"("\")", "}]", R"({"a\":1})"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(complete_after(text), 0u);
  }
}

}  // namespace
}  // namespace splitproof::turn
