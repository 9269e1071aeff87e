#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/split/generator.hpp"
#include "tests/harness/split/formats.hpp"

namespace splitproof::split::json_array_test {
namespace {

const BodyFormat kEither = {Framing::sse_or_array, {}};

std::vector<std::size_t> places(SeamKind kind, std::string_view body, const BodyFormat& format = kEither) {
  std::vector<std::size_t> places;
  for (const Seam& seam : find_seams(body, format))
    if (seam.kind == kind) places.push_back(seam.offset);
  return places;
}

TEST(JsonArray, HasSeamsAtItsElementsAndInTheirJson) {
  struct Row {
    SeamKind kind;
    std::string drawing;  // a cut is `|`
  };
  const std::vector<Row> rows = {
      {SeamKind::event_boundary, "[{\"a\":[{}]}|\r\n,\r\n{}|]\n"},
      {SeamKind::event_boundary, "[{\"a\":\"}]\\\"]\"}|,{}|]"},
      {SeamKind::cr_lf, "[{}\r|\n,\r|\n{}]"},
      {SeamKind::before_line_end, "[{}|\r\n,|\n{}]"},
      {SeamKind::key, "[{\"|a|\":1},\n{\"|b|\":\"c\"}]"},
      {SeamKind::string, "[{\"a\":1},\n{\"b\":\"|c|\"}]"},
      {SeamKind::structure, "[|{|}|,|{|}|]"},
      {SeamKind::blank_line, "[{}\n\n,{}]"},
      {SeamKind::field_name, "[\ndata: {}]"},
      {SeamKind::bom, "\xEF|\xBB|\xBF[{}]"},
  };
  for (const Row& row : rows) {
    std::string body;
    std::vector<std::size_t> wanted;
    for (const char byte : row.drawing) {
      if (byte == '|') {
        wanted.push_back(body.size());
      } else {
        body += byte;
      }
    }
    EXPECT_EQ(places(row.kind, body), wanted) << row.drawing;
    EXPECT_EQ(places(row.kind, body, {Framing::json_array, {}}), wanted) << row.drawing;
  }
}

TEST(JsonArray, EventsOfAProtocolWithBothFormatsHaveTheSeamsOfEvents) {
  const std::string body = "data: {\"a\":[1]}\r\n\r\n: tide\n\ndata: {}\n\n";
  EXPECT_EQ(find_seams(body, kEither), find_seams(body, kEvents));
}

TEST(JsonArray, IsCutAtItsElements) {
  const std::string body = "[{\"a\":1},\r\n{}]";
  const Subject subject = survey(body, {body.size()}, kEither);
  EXPECT_EQ(subject.event_ends, (Cuts{8, 13}));
}

}  // namespace
}  // namespace splitproof::split::json_array_test
