#include "harness/strict_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::strict_json_test {
namespace {

using namespace std::string_view_literals;

TEST(StrictJson, ReadsWhatIsJson) {
  for (const std::string_view text : {"0", " [1, 2.5, -3e2]\n", R"({"a":{"b":[null,true,false]}})",
                                      R"("\ud83d\ude00 \u0000 [[[ \" {{{")", "\"\xC3\xA9\""}) {
    SCOPED_TRACE(text);
    const auto value = parse_strict_json(text);
    ASSERT_TRUE(value) << value.error().reason;
    EXPECT_EQ(**value, nlohmann::json::parse(text));
  }
}

TEST(StrictJson, NamesPlaceAndReasonOfTheFirstFault) {
  struct Case {
    std::string_view text;
    std::size_t at;
    std::string_view word;
  };
  const std::vector<Case> cases = {
      {"", 0, "unexpected end of input"},
      {"{\"a\":", 5, "unexpected end of input"},
      {"{\"a\":1}{\"b\":2}", 7, "expected end of input"},
      {"{\"a\" 1}", 5, "expected ':'"},
      {"[1,]", 3, "unexpected ']'"},
      {"{'a':1}", 1, "invalid literal"},
      {"nul", 3, "invalid literal"},
      {"\"a\nb\"", 2, "control character"},
      {"\"\\ud83d\"", 7, "RFC 7493"},
      {"\"\\ude00\"", 6, "RFC 7493"},
      {"\"\\ud83dx\"", 7, "RFC 7493"},
      {"\"\xFF\"", 1, "UTF-8"},
      {"[1e999]", 5, "range of a double"},
      {"\xEF\xBB\xBF{}", 0, "byte order mark"},
      {"{}\0"sv, 2, "NUL"},
      {"\"a\0\""sv, 2, "NUL"},
      {"\"\\\0\""sv, 2, "NUL"},
      {"[}\0"sv, 1, "unexpected '}'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.text));
    const std::string exact(c.text);
    const auto value = parse_strict_json(exact);
    ASSERT_FALSE(value);
    EXPECT_EQ(value.error().at, c.at) << value.error().reason;
    EXPECT_NE(value.error().reason.find(c.word), std::string::npos) << value.error().reason;
    EXPECT_LT(value.error().reason.size(), 200u);
  }
}

TEST(StrictJson, DepthEndsAtTheBound) {
  for (const std::size_t depth :
       {kMaxJsonDepth, kMaxJsonDepth + 1, std::size_t{100'000}, std::size_t{10'000'000}}) {
    SCOPED_TRACE(depth);
    const bool fits = depth <= kMaxJsonDepth;
    for (const bool closed : {false, true}) {
      std::string arrays(depth, '[');
      std::string objects;
      for (std::size_t i = 0; i < depth && depth <= 100'000; ++i) objects += "{\"a\":";
      if (closed) {
        arrays += std::string(depth, ']');
        objects += "1" + std::string(depth, '}');
      }
      EXPECT_EQ(parse_strict_json(arrays).has_value(), fits && closed);
      if (depth <= 100'000) {
        EXPECT_EQ(parse_strict_json(objects).has_value(), fits && closed);
      }
      if (fits) continue;
      const JsonFault fault = parse_strict_json(arrays).error();
      EXPECT_EQ(fault.at, kMaxJsonDepth);
      EXPECT_NE(fault.reason.find("deeper than 512"), std::string::npos);
    }
  }
  // The earliest fault is reported first. Brackets inside strings do not nest.
  EXPECT_EQ(parse_strict_json("{]" + std::string(1000, '[')).error().at, 1u);
  EXPECT_TRUE(parse_strict_json("\"" + std::string(1000, '[') + "\""));
}

}  // namespace
}  // namespace splitproof::strict_json_test
