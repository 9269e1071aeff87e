#include "harness/report/request_diff.hpp"

#include <gtest/gtest.h>

namespace splitproof::report::request_diff_test {
namespace {

// "- text", "+ text" or "  text"; "~" instead of the sign for a value that moved.
std::string drawn(std::string_view client, std::string_view upstream) {
  std::string all;
  for (const DiffLine& line : request_diff(client, upstream)) {
    all += line.side == DiffSide::both ? "  " : line.side == DiffSide::client ? "- " : "+ ";
    if (line.moved) all += "~";
    all += line.text + "\n";
  }
  return all;
}

TEST(RequestDiff, OnlyChangedMembersDifferWhateverTheirOrder) {
  EXPECT_EQ(drawn(R"({"b":1,"a":"x","c":[1]})", R"({"a":"x","c":[1],"b":2})"),
            "  {\n    \"a\": \"x\",\n-   \"b\": 1,\n+   \"b\": 2,\n    \"c\": [\n      1\n    ]\n  }\n");
  EXPECT_EQ(drawn(R"({"a":1})", R"({"a":1,"b":2})"), "  {\n    \"a\": 1,\n+   \"b\": 2\n  }\n");
}

TEST(RequestDiff, ValueUnderAnotherNameIsMoved) {
  const std::string lines = drawn(R"({"text":"Hi","lost":"x"})", R"({"content":"Hi"})");
  EXPECT_NE(lines.find("- ~  \"text\": \"Hi\""), std::string::npos) << lines;
  EXPECT_NE(lines.find("+ ~  \"content\": \"Hi\""), std::string::npos) << lines;
  EXPECT_NE(lines.find("-   \"lost\": \"x\""), std::string::npos) << lines;
}

TEST(RequestDiff, BodyThatIsNotJsonIsComparedByLines) {
  EXPECT_EQ(drawn("a\nb", "a\nc"), "  a\n- b\n+ c\n");
  EXPECT_EQ(drawn("", ""), "");
  EXPECT_EQ(drawn("", "{}"), "+ ~{}\n");
}

TEST(RequestDiff, LongRequestsAndLinesAreShortened) {
  std::string many = "[0";
  for (int i = 1; i < 5000; ++i) many += "," + std::to_string(i);
  const auto lines = request_diff(many + "]", R"(["\u00e9)" + std::string(100'000, 'x') + "\"]");
  EXPECT_LT(lines.size(), 700U);
  for (const DiffLine& line : lines) EXPECT_LT(line.text.size(), 500U);
}

}  // namespace
}  // namespace splitproof::report::request_diff_test
