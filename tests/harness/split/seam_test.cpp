#include "harness/split/seam.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/harness/split/formats.hpp"

namespace splitproof::split::seam_test {
namespace {

using Offsets = std::vector<std::size_t>;

/// A body and the offsets of the bars in `marked`, the same body.
struct Marked {
  std::string body;
  Offsets bars;
};

Marked read_bars(std::string_view marked) {
  Marked read;
  for (const char byte : marked) {
    if (byte == '|') {
      read.bars.push_back(read.body.size());
    } else {
      read.body += byte;
    }
  }
  return read;
}

Offsets offsets_of(SeamKind kind, std::string_view body) {
  Offsets offsets;
  for (const Seam& seam : find_seams(body, kEvents)) {
    if (seam.kind == kind) offsets.push_back(seam.offset);
  }
  return offsets;
}

struct Row {
  SeamKind kind;
  std::string_view marked;  ///< the bars are all the seams of that kind
};

const std::vector<Row> kRows = {
    {SeamKind::first_byte, "d|ata: 1\n\n"},
    {SeamKind::first_byte, "d"},
    {SeamKind::first_byte, ""},
    {SeamKind::last_byte, "data: 1\n|\n"},
    {SeamKind::last_byte, "d|a"},

    {SeamKind::bom,
     "\xEF|\xBB|\xBF"
     "data: 1\n\n"},
    {SeamKind::bom, "\xEF|\xBB|\xBF\xEF\xBB\xBF"},
    {SeamKind::bom, "\xEF\xBB"},
    {SeamKind::bom, "data: \xEF\xBB\xBF\n\n"},
    {SeamKind::utf8_3,
     "\xEF|\xBB|\xBF"
     "data: 1\n\n"},

    {SeamKind::utf8_2, "data: {\"a\":\"\xC3|\xA9\"}\n\n"},
    {SeamKind::utf8_3, "data: {\"a\":\"\xE2|\x82|\xAC\xE2|\x82|\xAC\"}\n\n"},
    {SeamKind::utf8_4, "data: {\"a\":\"\xF0|\x9F|\x98|\x80\"}\n\n"},
    {SeamKind::utf8_2, "\xC2|\x80 \xDF|\xBF \xC1\xBF \xC3 \xC3"},
    {SeamKind::utf8_3, "\xE0|\xA0|\x80 \xE0\x9F\xBF \xED|\x9F|\xBF \xED\xA0\x80 \xE2\x82"},
    {SeamKind::utf8_4,
     "\xF0|\x90|\x80|\x80 \xF0\x8F\xBF\xBF \xF4|\x8F|\xBF|\xBF \xF4\x90\x80\x80 \xF5\x80\x80\x80"},
    {SeamKind::utf8_3, "\xE2\xE2|\x82|\xAC"},

    {SeamKind::before_line_end, "event: x|\ndata: 1|\n\n"},
    {SeamKind::before_line_end, "event: x|\r\ndata: 1|\r\n\r\n: c|\r:|\r\rdata"},
    {SeamKind::between_lines, "event: x\n|data: 1\n\ndata: 2\r\n|id: 7\r|: c\r\r"},
    {SeamKind::cr_lf, "data: 1\r|\n\r|\n\n\rx\r\r|\n"},
    {SeamKind::blank_line, "data: 1\n|\n|\ndata: 2\n"},
    {SeamKind::blank_line, "data: 1\r\n|\r\ndata: 2\r|\r:\n|\r"},
    {SeamKind::blank_line, "\n|\n\xEF\xBB\xBF\n"},
    {SeamKind::blank_line, "\xEF\xBB\xBF\n|\n"},
    {SeamKind::blank_cr_lf, "\r|\ndata: 1\r\n\r|\n"},
    {SeamKind::blank_cr_lf, "data: 1\n\r|\ndata: 2\r\rdata: 3\r\n\n"},
    {SeamKind::event_boundary, "data: 1\n\n|data: 2\r\n\r\n|data: 3\r\r|data: 4\n\n"},
    {SeamKind::event_boundary, "\n|data: 1\n\n|\n|: c\n"},

    {SeamKind::field_name, "d|a|t|a: 1\nx: 1\ne|v|e|n|t:\n: c\n\nd|a|t"},
    {SeamKind::before_colon, "data|: 1:2\nx|:\n: c\ndata\n"},
    {SeamKind::after_colon, "data:|1:2\ndata:| 1\nx:|\n: c\n"},
    {SeamKind::after_space, "data:1\ndata: |1\ndata: | 1\ndata: |\n: c\n"},
    {SeamKind::field_value, "event: p|i|n|g\nid:1|2\nretry: 3\ndata: 12\ndatax:  |1"},
    {SeamKind::comment, ":| |k|e\n:\n:|:\nx: :y\n:| "},
    {SeamKind::done, "data: [|D|O|N|E|]\n\ndata:[|D|O|N|E|]\n\nevent: [DONE]\n\n"},
    {SeamKind::done, "data: [|D|O|N|E|] \t\n\ndata:  [DONE]\n\ndata: [DONE]x\n\ndata: [DON"},
    {SeamKind::structure, "data: [DONE] \n\n"},

    {SeamKind::structure, "data: {|\"a\"|:|[|1|,|true|]|}\n\n"},
    {SeamKind::structure, "data: {|\"{,\"|:| 1 |,| \"b\" |:| 2 |}\ndata: ,| 3\n\n"},
    {SeamKind::key, "data: {\"|a|b|\":\"c\",\"|\":{\"|d|\":[\"e\",\"f\"],\"|g|\":1}}\n\n"},
    {SeamKind::key, "data: {\ndata: \"|a|\"\ndata: :\"b\",\ndata: \"|c|\":1}\n\n"},
    {SeamKind::key, "data: {\n\ndata: \"a\"\n\n"},
    {SeamKind::string, "data: {\"a\":\"|b|\",\"c\":[\"|\",{\"d\":\"|\"},\"|e|\\|n|\"]}\n\n"},
    {SeamKind::string, "data: \"|a|b\ndata: \"c\"\n\ndata: \"|d|\"\n\n"},
    {SeamKind::string, "event: \"a\"\ndata: hello \"b\"\n\n"},
    {SeamKind::string, "data: [\"|a|\x01\",\"b\"]\n\n"},
    {SeamKind::number, "data: [1|2,-|3,4|.|5|E|+|6,7]\n\n"},
    {SeamKind::number, "data: {\"12\":\"34\"}\nid: 56\n\ndata: 7|8\n\n"},
    {SeamKind::literal, "data: [t|r|u|e,f|a|l|s|e,n|u|l|l,\"true\",tru,null]\n\n"},

    {SeamKind::escape, R"(data: ["a\|n\|"\|\\|/","\u0041\q\n"])"},
    {SeamKind::escape, R"(data: {"\|t":1,"b":"\)"},
    {SeamKind::unicode_escape, R"(data: ["\|u|0|0|e|9\\u00e9\n\|u|D|8|3|D"])"},
    {SeamKind::unicode_escape, R"(data: ["\u00g9"])"},
    {SeamKind::unicode_escape, R"(data: ["\u00e)"},
    {SeamKind::surrogate_escape, R"(data: ["\|u|d|8|3|d\|u|d|e|0|0\u0041"])"},
    {SeamKind::surrogate_escape, R"(data: ["\ud83d\u0041\ude00\ud83d\|u|D|8|3|D\|u|D|E|0|0"])"},
    {SeamKind::surrogate_escape, R"(data: ["\ud83dx\ude00\ud83d\n"])"},
    {SeamKind::between_surrogates, R"(data: ["\ud83d|\ude00\ud83d|\ude00","\ude00\ud83d\ud83d|\ude00"])"},

    {SeamKind::inner_escape, R"(data: {"a":"{\"b\":\"\|\|n\|\|\|"\|\|\|\n\\x\\"})"},
    {SeamKind::inner_escape, R"(data: {"\\n":"\\","b":"\|\|/\|\|\|/\|\|t"})"},
    {SeamKind::inner_escape, R"(data: {"a":"\\\n\\u00e9\\u00"})"},
    {SeamKind::inner_unicode_escape, R"(data: {"a":"\|\|u|0|0|e|9\u00e9\\\\u00e9"})"},
    {SeamKind::between_inner_surrogates, R"(data: {"a":"\\ud83d|\\ude00\\ud83d\ude00\\ude00"})"},
};

TEST(Seams, LieWhereTheirDrawingsSay) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(std::string(name(row.kind)) + " in " + std::string(row.marked));
    const Marked marked = read_bars(row.marked);
    EXPECT_EQ(offsets_of(row.kind, marked.body), marked.bars);
  }
}

TEST(Seams, EveryKindHasADrawing) {
  for (std::size_t kind = 0; kind < kSeamKinds; ++kind) {
    const auto drawn = [&](const Row& row) {
      return static_cast<std::size_t>(row.kind) == kind && row.marked.find('|') != std::string_view::npos;
    };
    // Frames cannot be drawn as text; aws_frames_test.cpp tests them.
    EXPECT_NE(std::any_of(kRows.begin(), kRows.end(), drawn), is_of_frames(static_cast<SeamKind>(kind)))
        << name(static_cast<SeamKind>(kind));
  }
}

TEST(Seams, ComeByOffsetAndThenKind) {
  //                            0123 4567 8 9
  const std::vector<Seam> all = find_seams("id:1\r\n\r\nx", kEvents);
  const std::vector<Seam> expected = {
      {SeamKind::first_byte, 1},  {SeamKind::field_name, 1},      {SeamKind::before_colon, 2},
      {SeamKind::after_colon, 3}, {SeamKind::before_line_end, 4}, {SeamKind::cr_lf, 5},
      {SeamKind::blank_line, 6},  {SeamKind::cr_lf, 7},           {SeamKind::blank_cr_lf, 7},
      {SeamKind::last_byte, 8},   {SeamKind::event_boundary, 8},
  };
  EXPECT_EQ(all, expected);
}

TEST(SeamKind, NamesAreKebabCaseAndReadBack) {
  for (std::size_t i = 0; i < kSeamKinds; ++i) {
    const auto kind = static_cast<SeamKind>(i);
    SCOPED_TRACE(name(kind));
    EXPECT_FALSE(name(kind).empty());
    EXPECT_EQ(name(kind).find_first_not_of("abcdefghijklmnopqrstuvwxyz-0123456789"), std::string_view::npos);
    EXPECT_EQ(seam_kind(name(kind)), kind);
  }
  EXPECT_EQ(name(SeamKind::first_byte), "first-byte");
  EXPECT_EQ(name(SeamKind::utf8_4), "utf8-4");
  EXPECT_EQ(name(SeamKind::blank_cr_lf), "blank-cr-lf");
  EXPECT_EQ(name(SeamKind::between_inner_surrogates), "between-inner-surrogates");
  EXPECT_EQ(seam_kind("utf8"), std::nullopt);
  EXPECT_EQ(seam_kind(""), std::nullopt);
}

}  // namespace
}  // namespace splitproof::split::seam_test
