#include "harness/observe/json_array_reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/framing.hpp"

namespace splitproof::observe::json_array_reader_test {
namespace {

const std::vector<std::string> kBodies = {
    "",
    "[",
    "[]",
    " \r\n[ ] \n",
    "[{}]",
    "[{\"a\":1}\r\n,\r\n{\"a\":2}]\r\n",
    "\xEF\xBB\xBF [{\"a\":[1,{\"b\":\"]},{[\\\"\"}]},{}]",
    "[1, \"a,]\\\\\" ,true,[[]]]",
    "[{\"a\":\"\xE6\xBD\xAE\"},{\"a\":\"\xE6\xBD",
    "[{\"a\":\"\xFF\"}]",
    "[{}",
    "[{},",
    "[{}{}]",
    "[{}]x",
    "[,{}]",
    "[{},]",
    "[{}}]",
    "[{\"a\":]}]",
    "data: {}\n\ndata: [1]\n\n",
    "\n\n: comment\n\ndata: x\n",
    "{\"error\":{}}",
};

/// Returns the elements: their data, `~` for one without an end, `!` and the byte for a broken array.
std::string in_short(const std::string& body) {
  JsonArrayReader reader;
  reader.feed(body);
  reader.finish();
  std::string all;
  for (const SseEvent& element : reader.events()) {
    if (!all.empty()) all += ' ';
    if (!element.broken.empty()) {
      all += "!" + std::to_string(element.begin);
      continue;
    }
    all += element.data + (element.terminated ? "" : "~");
    EXPECT_EQ(body.substr(element.begin, element.end - element.begin).size(), element.end - element.begin);
    if (!element.ill_formed_data) {
      EXPECT_EQ(body.substr(element.begin, element.end - element.begin), element.data);
    }
  }
  return all;
}

TEST(JsonArrayReader, ReadsEveryElementWithItsBytes) {
  EXPECT_EQ(in_short(""), "");
  EXPECT_EQ(in_short("[]"), "");
  EXPECT_EQ(in_short(" \r\n[ ] \n"), "");
  EXPECT_EQ(in_short("[{}]"), "{}");
  EXPECT_EQ(in_short("[{\"a\":1}\r\n,\r\n{\"a\":2}]\r\n"), "{\"a\":1} {\"a\":2}");
  EXPECT_EQ(in_short("\xEF\xBB\xBF [{\"a\":[1,{\"b\":\"]},{[\\\"\"}]},{}]"),
            "{\"a\":[1,{\"b\":\"]},{[\\\"\"}]} {}");
  EXPECT_EQ(in_short("[1, \"a,]\\\\\" ,true,[[]]]"), "1 \"a,]\\\\\" true [[]]");
}

TEST(JsonArrayReader, KeepsTheLastElementOfACutArray) {
  EXPECT_EQ(in_short("["), "~");
  EXPECT_EQ(in_short("[{\"a\""), "{\"a\"~");
  EXPECT_EQ(in_short("[{}"), "{} ~");
  EXPECT_EQ(in_short("[{},"), "{} ~");
  EXPECT_EQ(in_short("[{},12"), "{} 12~");
}

TEST(JsonArrayReader, ReadsNothingAfterAWrongByte) {
  EXPECT_EQ(in_short("[{}{}]"), "{} !3");
  EXPECT_EQ(in_short("[{}]x"), "{} !4");
  EXPECT_EQ(in_short("[,{}]"), "!1");
  EXPECT_EQ(in_short("[{},]"), "{} !4");
  EXPECT_EQ(in_short("[{}}]"), "{} !3");
  EXPECT_EQ(in_short("{}"), "!0");
}

TEST(JsonArrayReader, CountsLinesAndFindsInvalidBytes) {
  JsonArrayReader reader;
  reader.feed("[{}\n,\r\n{\"a\":\n\"\xFF\"}]");
  reader.finish();
  ASSERT_EQ(reader.events().size(), 2u);
  EXPECT_EQ(reader.events()[0].line, 1u);
  EXPECT_EQ(reader.events()[1].line, 3u);
  EXPECT_TRUE(reader.events()[1].ill_formed_data);
  EXPECT_EQ(reader.events()[1].ill_formed_at, std::size_t{14});
}

TEST(SseOrArray, FirstByteDecidesTheFraming) {
  EXPECT_EQ(framing_of(Framing::sse_or_array, "\xEF\xBB\xBF\r\n ["), Framing::json_array);
  EXPECT_EQ(framing_of(Framing::sse_or_array, "data: []\n\n"), Framing::sse);
  EXPECT_EQ(framing_of(Framing::sse_or_array, "{}"), Framing::sse);
  EXPECT_EQ(framing_of(Framing::sse_or_array, ""), Framing::sse);
  EXPECT_EQ(framing_of(Framing::json_lines, "[]"), Framing::json_lines);
  for (const std::string& body : kBodies) {
    FrameReader either(Framing::sse_or_array);
    FrameReader known(framing_of(Framing::sse_or_array, body));
    for (FrameReader* reader : {&either, &known}) {
      reader->feed(body);
      reader->finish();
    }
    EXPECT_EQ(either.events(), known.events()) << body;
  }
}

TEST(SseOrArray, StateDoesNotDependOnTheCuts) {
  for (const std::string& body : kBodies) {
    for (const Framing framing : {Framing::json_array, Framing::sse_or_array}) {
      FrameReader whole(framing);
      whole.feed(body);
      FrameReader ended = whole;
      ended.finish();
      for (std::size_t cut = 0; cut <= body.size(); ++cut) {
        FrameReader reader(framing);
        reader.feed(std::string_view(body).substr(0, cut));
        for (std::size_t at = cut; at < body.size(); ++at) reader.feed(std::string_view(body).substr(at, 1));
        EXPECT_EQ(reader, whole) << body << " " << cut;
        reader.finish();
        EXPECT_EQ(reader, ended) << body << " " << cut;
      }
    }
  }
}

}  // namespace
}  // namespace splitproof::observe::json_array_reader_test
