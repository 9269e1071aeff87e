#include "harness/shrink/pieces.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "harness/dialect/registry.hpp"
#include "harness/observe/framing.hpp"
#include "harness/observe/wire_json.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/utf8.hpp"

namespace splitproof::shrink::pieces_test {
namespace {

const std::vector<recording::Recording>& recordings() {
  static const recording::Corpus corpus =
      recording::load_corpus({std::string(std::getenv("SPLITPROOF_SOURCE_ROOT")) + "/corpus"});
  return corpus.recordings;
}

Framing framing_of(const recording::Recording& recording) {
  return dialect::format_of(recording.protocol).framing;
}

std::size_t documents_in(std::string_view body, Framing framing) {
  std::size_t count = 0;
  observe::for_each_frame(body, framing, [&](const observe::SseEvent& event) {
    count += observe::parse_wire_json(event.data) ? 1 : 0;
    return true;
  });
  return count;
}

bool any_text(std::string_view) { return true; }

TEST(EventPieces, AreTheBodyOneAfterTheOther) {
  ASSERT_FALSE(recordings().empty());
  for (const recording::Recording& recording : recordings()) {
    SCOPED_TRACE(recording.id);
    const Pieces events = event_pieces(recording.body, framing_of(recording));
    std::size_t at = 0;
    for (const Piece& event : events) {
      ASSERT_EQ(event.size(), 1U);
      EXPECT_EQ(event.front().begin, at);
      at = event.front().end;
    }
    EXPECT_TRUE(events.empty() || at == recording.body.size());
    EXPECT_EQ(count_events(recording.body, framing_of(recording)), events.size());
  }
}

TEST(EventPieces, LeaveTheOthersAsTheyWere) {
  for (const recording::Recording& recording : recordings()) {
    SCOPED_TRACE(recording.id);
    const Pieces events = event_pieces(recording.body, framing_of(recording));
    // The last one contains an unterminated event, and the first may have a byte order mark.
    for (std::size_t i = 1; i + 1 < events.size(); ++i)
      EXPECT_EQ(count_events(without({recording.body, {}}, events[i]).body, framing_of(recording)),
                events.size() - 1);
  }
}

TEST(LinePieces, AreNoDataAndNoBlankLines) {
  const std::string body = ": hi\nevent: a\r\ndata: 1\n\nid: 3\rdata: 2\n\ndata\n\n";
  const Pieces lines = line_pieces(body, Framing::sse);
  Candidate left{body, {}};
  std::vector<PieceRange> all;
  for (const Piece& line : lines) all.push_back(line.front());
  EXPECT_EQ(without(left, all).body, "data: 1\n\ndata: 2\n\ndata\n\n");
  EXPECT_EQ(lines.size(), 3U);
  EXPECT_TRUE(line_pieces("{}\n", Framing::json_lines).empty());
}

TEST(MemberPieces, LeaveJsonBehind) {
  std::size_t tried = 0;
  for (const recording::Recording& recording : recordings()) {
    SCOPED_TRACE(recording.id);
    const Framing framing = framing_of(recording);
    const std::size_t documents = documents_in(recording.body, framing);
    for (const Pieces& set : member_pieces(recording.body, framing)) {
      ASSERT_EQ(set.size(), 1U);
      const std::string left = without({recording.body, {}}, set.front()).body;
      EXPECT_LT(left.size(), recording.body.size());
      EXPECT_EQ(documents_in(left, framing), documents) << left;
      ++tried;
    }
  }
  EXPECT_GT(tried, 1000U);
}

TEST(MemberPieces, TakeTheSamePlaceOfAllEventsFirst) {
  const std::string body = "data: {\"a\":1, \"b\" : [2,{\"c\":3}]}\n\ndata: {\"b\":4,\"a\":5}\n\n";
  std::vector<std::string> left;
  for (const Pieces& set : member_pieces(body, Framing::sse))
    left.push_back(without({body, {}}, set.front()).body);
  ASSERT_EQ(left.size(), 9U);
  EXPECT_EQ(left[0], "data: {\"b\" : [2,{\"c\":3}]}\n\ndata: {\"b\":4}\n\n");
  EXPECT_EQ(left[1], "data: {\"a\":1}\n\ndata: {\"a\":5}\n\n");
  EXPECT_EQ(left[4], "data: {\"a\":1, \"b\" : [{\"c\":3}]}\n\ndata: {\"b\":4,\"a\":5}\n\n");
  EXPECT_EQ(left[6], "data: {\"a\":1, \"b\" : [2,{}]}\n\ndata: {\"b\":4,\"a\":5}\n\n");
}

TEST(TextPieces, NeverBreakACharacterOrAnEscape) {
  std::size_t tried = 0;
  for (const recording::Recording& recording : recordings()) {
    SCOPED_TRACE(recording.id);
    const Framing framing = framing_of(recording);
    const std::size_t documents = documents_in(recording.body, framing);
    const std::size_t ill_formed = find_ill_formed_utf8(recording.body);
    for (const Pieces& set : text_pieces(recording.body, framing, any_text)) {
      // The first, the middle and the last represent the others.
      for (const std::size_t i : {std::size_t{0}, set.size() / 2, set.size() - 1}) {
        const std::string left = without({recording.body, {}}, set[i]).body;
        EXPECT_EQ(documents_in(left, framing), documents) << left;
        EXPECT_EQ(find_ill_formed_utf8(left) < left.size(), ill_formed < recording.body.size()) << left;
        ++tried;
      }
    }
  }
  EXPECT_GT(tried, 1000U);
}

TEST(TextPieces, AreTheCharactersOfEachStringAndOfItsTwins) {
  const std::string body =
      "data: {\"a\":\"x\\n\xC3\xA9\\ud83d\\ude00\\ud83d\\\"\"}\n\ndata: {\"b\":\"id\",\"c\":[\"id\"]}\n\ndata: [\"\"]\n\n";
  const auto sets = text_pieces(body, Framing::sse, any_text);
  ASSERT_EQ(sets.size(), 4U) << "one string, two together, and each of these";
  std::vector<std::string> characters;
  for (const Piece& piece : sets[0])
    characters.push_back(body.substr(piece[0].begin, piece[0].end - piece[0].begin));
  EXPECT_EQ(characters,
            (std::vector<std::string>{"x", "\\n", "\xC3\xA9", "\\ud83d\\ude00", "\\ud83d", "\\\""}));
  EXPECT_EQ(sets[1].front().size(), 2U);
  EXPECT_EQ(sets[2].front().size(), 1U);
  EXPECT_TRUE(text_pieces(body, Framing::sse, [](std::string_view) { return false; }).empty());
}

TEST(HalvedPieces, AreBothHalvesOrTheirEvents) {
  const std::string body =
      "data: {\"a\":\"x\\ud83d\"}\n\ndata: {\"b\":\"\\ud83c\"}\n\ndata: {\"a\":\"\\ude00y\",\"c\":\"\\ud83d\\ude00\"}\n\n";
  std::vector<std::string> left;
  for (const Pieces& set : halved_pieces(body, Framing::sse)) {
    ASSERT_EQ(set.size(), 1U);
    left.push_back(without({body, {}}, set.front()).body);
  }
  ASSERT_EQ(left.size(), 8U) << "two that one half may belong to";
  EXPECT_EQ(
      left[0],
      "data: {\"a\":\"x\"}\n\ndata: {\"b\":\"\\ud83c\"}\n\ndata: {\"a\":\"y\",\"c\":\"\\ud83d\\ude00\"}\n\n");
  EXPECT_EQ(left[1], "data: {\"a\":\"x\"}\n\ndata: {\"b\":\"\\ud83c\"}\n\n");
  EXPECT_EQ(left[7], "data: {\"a\":\"x\\ud83d\"}\n\n");
  EXPECT_TRUE(halved_pieces("data: {\"a\":\"\\ude00\",\"b\":\"\\ud83d\"}\n\n", Framing::sse).empty());
}

}  // namespace
}  // namespace splitproof::shrink::pieces_test
