#include "harness/report/evidence.hpp"

#include <gtest/gtest.h>

#include <string>

#include "harness/report/text_layout.hpp"

namespace splitproof::report::evidence_test {
namespace {

std::string marked(const std::string& body, const results::Place& place, const std::string& found,
                   const std::string& wanted) {
  contract::Violation violation;
  violation.found = found;
  violation.wanted = wanted;
  const WrongPlace wrong = wrong_place(body, place, violation);
  return body.substr(wrong.mark, wrong.mark_end - wrong.mark);
}

constexpr results::Place kAtEnd{std::nullopt, 1000, 1000};

TEST(WrongPlace, IsTheFirstBytesOfTheTextThatDiffer) {
  const std::string body =
      "data: {\"text\":\"same \"}\n\ndata: {\"text\":\"tide \xEF\xBF\xBD\xEF\xBF\xBD end\"}\n\n";
  EXPECT_EQ(
      marked(body, kAtEnd, "\"same tide \xEF\xBF\xBD\xEF\xBF\xBD end\"", "\"same tide \xE6\xBD\xAE end\""),
      "\xEF\xBF\xBD\xEF\xBF\xBD end");
  EXPECT_EQ(marked(body, kAtEnd, "\"same tide \xEF\xBF\xBD\xEF...", "\"same tide \xE6\xBD\xAE e..."),
            "\xEF\xBF\xBD\xEF\xBF\xBD end")
      << "the values are shortened";
}

TEST(WrongPlace, IsWhereTextIsMissing) {
  const std::string body = "data: {\"t\":\"ha\"}\n\ndata: {\"t\":\" tide\"}\n\ndata: {\"type\":\"end\"}\n\n";
  const auto missing_at = [&](const char* wanted) {
    contract::Violation violation;
    violation.found = "\"ha tide\"";
    violation.wanted = wanted;
    const WrongPlace wrong = wrong_place(body, kAtEnd, violation);
    EXPECT_EQ(wrong.mark, wrong.mark_end);
    return wrong.mark;
  };
  EXPECT_EQ(missing_at("\"haha tide\""), body.find("ha\"") + 2);
  EXPECT_EQ(missing_at("\"ha tide is over\""), body.find("tide") + 4);
  EXPECT_EQ(missing_at("\"ha neap tide\""), body.find(" tide") + 1);
}

TEST(WrongPlace, IsTheFirstElementOfAListThatDiffers) {
  const std::string body = "data: {\"name\":\"ferry\"}\n\ndata: {\"name\":\"ferry\"}\n\n";
  contract::Violation violation;
  violation.found = "[\"ferry\",\"ferry\"]";
  violation.wanted = "[\"ferry\"]";
  EXPECT_EQ(wrong_place(body, kAtEnd, violation).mark, body.rfind("\"ferry\""));
  violation.found = "[]";
  EXPECT_EQ(wrong_place(body, kAtEnd, violation).mark, body.size()) << "there is no wrong element";
}

TEST(WrongPlace, IsTheValueOfTheFieldInTheEvent) {
  const std::string body =
      "data: {\"stop_reason\":\"stop\"}\n\ndata: {\"delta\":{\"stop_reason\":\"stop\",\"n\":17}}\n\n";
  const auto marks = [&](const char* field) {
    contract::Violation violation;
    violation.field = field;
    violation.found = "\"stop\"";
    violation.wanted = "\"tool_calls\"";
    const WrongPlace wrong = wrong_place(body, {1, 30, body.size()}, violation);
    return std::pair(wrong.mark, body.substr(wrong.mark, wrong.mark_end - wrong.mark));
  };
  EXPECT_EQ(marks("/delta/stop_reason"), std::pair(body.rfind("\"stop\""), std::string("\"stop\"")));
  EXPECT_EQ(marks("/delta/n").second, "17");
  EXPECT_EQ(marks("/delta/absent").second, body.substr(30)) << "the event";
}

TEST(WrongPlace, IsTextThatCameTwice) {
  const std::string body = "data: {\"t\":\"tide\"}\n\ndata: {\"t\":\"tide\"}\n\n";
  contract::Violation violation;
  violation.found = "\"tidetide\"";
  violation.wanted = "\"tide\"";
  EXPECT_EQ(wrong_place(body, kAtEnd, violation).mark, body.rfind("tide"));
}

TEST(WrongPlace, IsTheEventIfNoValueIsStated) {
  const std::string body = "data: {\"a\":1}\n\ndata: {\"b\":2}\n\n";
  EXPECT_EQ(marked(body, {1, 15, 30}, "", ""), "data: {\"b\":2}\n\n");
}

TEST(WrongPlace, IsTheEndIfSomethingIsMissing) {
  const std::string body = "data: {\"a\":1}\n\n";
  const WrongPlace wrong = wrong_place(body, {std::nullopt, 15, 15}, {});
  EXPECT_EQ(wrong.mark, body.size());
  EXPECT_EQ(wrong.mark_end, body.size());
  EXPECT_EQ(marked_picture(body, wrong), "data: {\"a\":1}\\n\\n\n                 ^ the answer ends here\n");
}

// For any range, the second line marks exactly the shown form of the range.
TEST(MarkedPicture, MarkIsBelowTheBytes) {
  const std::string body =
      "data: \xE2\x9C\x93\r\n" + std::string(90, 'x') + "\xC3\xBC" + std::string(90, 'y') + "\xC3\xA9\n\n";
  for (std::size_t begin = 0; begin < body.size(); begin += 7) {
    const WrongPlace place{std::nullopt, begin, begin, begin, std::min(begin + 3, body.size())};
    const std::string picture = marked_picture(body, place);
    const std::size_t line = picture.find('\n');
    const std::string below = picture.substr(line + 1);
    ASSERT_EQ(below.find_first_not_of(" ^\n"), std::string::npos) << picture;
    std::size_t characters = 0;
    for (std::size_t i = 0; i < line; ++i)
      characters += (static_cast<unsigned char>(picture[i]) & 0xC0) != 0x80 ? 1 : 0;
    EXPECT_LE(below.size() - 1, characters) << picture;
    EXPECT_NE(below.find('^'), std::string::npos) << picture;
  }
}

TEST(ColumnsOf, CountsWideCharactersTwice) {
  EXPECT_EQ(columns_of("abc"), 3U);
  EXPECT_EQ(columns_of("\xE6\xBD\xAE"), 2U) << "East Asian";
  EXPECT_EQ(columns_of("\xF0\x9F\x9A\x80"), 2U) << "an emoji";
  EXPECT_EQ(columns_of("e\xCC\x81"), 1U) << "a combining mark";
  EXPECT_EQ(columns_of("\xEF\xBF\xBD"), 1U) << "a replacement character";
}

// No values of any bytes lead outside of the body.
TEST(WrongPlace, StaysInsideTheBody) {
  const std::string body = "data: \xFF\xE2\x9C{\"a\"\n\n";
  const std::string values[] = {"", "\"", "\"\"", "a", "\"\xE2\x9C\"", "\xFF\xFF\xFF\xFF\xFF", body};
  for (const std::string& found : values) {
    for (const std::string& wanted : values) {
      for (std::size_t begin = 0; begin <= body.size() + 2; ++begin) {
        contract::Violation violation;
        violation.found = found;
        violation.wanted = wanted;
        const WrongPlace wrong = wrong_place(body, {0, begin, begin + 3}, violation);
        EXPECT_LE(wrong.mark, wrong.mark_end);
        EXPECT_LE(wrong.mark_end, body.size());
        EXPECT_FALSE(marked_picture(body, wrong).empty());
      }
    }
  }
}

}  // namespace
}  // namespace splitproof::report::evidence_test
