#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "harness/observe/framing.hpp"
#include "harness/split/generator.hpp"
#include "harness/split/plan.hpp"
#include "tests/harness/split/formats.hpp"
#include "tests/harness/split/json_line_bodies.hpp"
#include "tests/planned.hpp"

namespace splitproof::split::json_lines_test {
namespace {

/// Offsets of the seams of one kind.
std::vector<std::size_t> places(SeamKind kind, std::string_view body) {
  std::vector<std::size_t> places;
  for (const Seam& seam : find_seams(body, kLines)) {
    if (seam.kind == kind) places.push_back(seam.offset);
  }
  return places;
}

TEST(JsonLines, HaveSeamsAtTheirLineEnds) {
  struct Row {
    SeamKind kind;
    std::string drawing;  // a cut is `|`
  };
  const std::vector<Row> rows = {
      {SeamKind::event_boundary, "{}\n|[]\r\n|\n1\n| \r\n2"},
      {SeamKind::before_line_end, "{}|\n[]|\r\n\n1|\n \r\n2"},
      {SeamKind::cr_lf, "{}\n[]\r|\n\n1\n \r|\n2"},
      {SeamKind::blank_line, "{}\n[]\r\n|\n1\n |\r\n2"},
      {SeamKind::blank_cr_lf, "{}\n[]\r\n\n1\n \r|\n2"},
      {SeamKind::literal, "t|r|u|e\nn|u|l|l\r\n{\"a\":\rf|a|l|s|e}"},
      {SeamKind::key, "{\"|a|\":1}\n[\"a\",{\"|b|\":2}]\n"},
      {SeamKind::bom, "\xEF|\xBB|\xBF{}\n"},
      {SeamKind::between_surrogates, "\"\\ud83d|\\ude00\"\n\"\\ud83d\"\n\"\\ude00\""},
      {SeamKind::field_name, "data: 1\nevent\n"},
      {SeamKind::done, "[DONE]\ndata: [DONE]\n"},
      {SeamKind::between_lines, "1\n2\n\n3\n"},
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
  }
}

/// A line has the same seams as the data of a server-sent event.
TEST(JsonLines, HaveTheSeamsOfTheirJson) {
  constexpr std::string_view kField = "data: ";
  std::size_t compared = 0;
  for (const std::string& body : json_line_bodies()) {
    std::vector<Seam> wanted;
    observe::JsonLinesReader reader;
    reader.feed(body);
    reader.finish();
    for (const observe::SseEvent& line : reader.events()) {
      std::string_view content = std::string_view(body).substr(line.begin, line.end - line.begin);
      if (content.ends_with('\n')) content.remove_suffix(content.ends_with("\r\n") ? 2 : 1);
      std::string event = std::string(kField) + std::string(content) + "\n\n";
      std::replace(event.begin(), event.end() - 2, '\r', ' ');
      for (const Seam& seam : find_seams(event, kEvents)) {
        if (seam.kind >= SeamKind::structure)
          wanted.push_back({seam.kind, seam.offset - kField.size() + line.begin});
      }
    }
    std::vector<Seam> found = find_seams(body, kLines);
    std::erase_if(found, [](const Seam& seam) { return seam.kind < SeamKind::structure; });
    EXPECT_EQ(found, wanted) << body.substr(0, 200);
    compared += found.size();
  }
  EXPECT_GT(compared, 50U);
}

TEST(JsonLines, EndWhereTheirReaderSaysThatTheyEnd) {
  std::size_t ends = 0;
  std::size_t as_events = 0;
  for (const std::string& body : json_line_bodies()) {
    SCOPED_TRACE(body.substr(0, 200));
    observe::FrameReader reader(Framing::json_lines);
    reader.feed(body);
    reader.finish();
    Cuts wanted;
    for (const observe::SseEvent& event : reader.events()) {
      if (event.terminated && event.end < body.size()) wanted.push_back(event.end);
    }
    EXPECT_EQ(survey(body, {}, kLines).event_ends, wanted);
    EXPECT_EQ(cuts_of("gen=events", body, {}, kLines), Result<Cuts>(wanted));
    if (!wanted.empty()) {
      EXPECT_EQ(cuts_of("gen=tail:1", body, {}, kLines), Result<Cuts>(Cuts{wanted.back()}));
    }
    ends += wanted.size();
    as_events += survey(body, {}, kEvents).event_ends.size();
  }
  EXPECT_GT(ends, 5U);
  EXPECT_LT(as_events, ends) << "the framing made no difference";
}

TEST(JsonLines, ArePlannedWithEverySeamAlone) {
  const std::string body = "{\"a\":\"x\xE2\x82\xAC\"}\r\n{\"a\":true}\n\n{\"done\":-1}\n";
  const Subject subject = survey(body, {}, kLines);
  const std::vector<Split> splits = planned(subject, {.random = 0, .sweep = false, .seed = 1});
  for (const Seam& seam : subject.seams) {
    const bool alone = std::any_of(splits.begin(), splits.end(), [&](const Split& split) {
      return split.cuts.size() == 1 &&
             std::any_of(subject.seams.begin(), subject.seams.end(), [&](const Seam& other) {
               return other.kind == seam.kind && other.offset == split.cuts.front();
             });
    });
    EXPECT_TRUE(alone) << name(seam.kind);
  }
}

}  // namespace
}  // namespace splitproof::split::json_lines_test
