#include "harness/observe/sse_reader.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "harness/utf8.hpp"
#include "tests/harness/observe/event_stream_reference.hpp"
#include "tests/harness/observe/shared_streams.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::observe::sse_reader_test {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

/// Feeds `bytes` from an allocation of exactly their size.
void feed_exact(SseReader& reader, std::string_view bytes) {
  const auto copy = std::make_unique<char[]>(bytes.size());
  std::memcpy(copy.get(), bytes.data(), bytes.size());
  reader.feed({copy.get(), bytes.size()});
}

SseReader fed_whole(std::string_view bytes) {
  SseReader reader;
  feed_exact(reader, bytes);
  return reader;
}

SseReader read_whole(std::string_view bytes) {
  SseReader reader = fed_whole(bytes);
  reader.finish();
  return reader;
}

/// Concatenates random pieces of the grammar: every special byte of the standard, and its neighbours.
std::string soup(std::mt19937& random, std::size_t pieces) {
  static const std::vector<std::string> kPieces = {"\r",
                                                   "\n",
                                                   "\r\n",
                                                   "\n\n",
                                                   "\r\n\r\n",
                                                   "\n\r",
                                                   "\ndata: ",
                                                   "\r\ndata:y",
                                                   "\rdata",
                                                   "\nevent:",
                                                   "\rid: ",
                                                   "\n:",
                                                   "\n\ndata:",
                                                   ":",
                                                   ": ",
                                                   "data",
                                                   "data:",
                                                   "data: x",
                                                   "event",
                                                   "event:",
                                                   "event: e",
                                                   "id",
                                                   "id:",
                                                   "id: 7",
                                                   "retry:",
                                                   "retry: 12",
                                                   "9",
                                                   " ",
                                                   "  ",
                                                   "\0"s,
                                                   "\xEF\xBB\xBF",
                                                   "\xEF",
                                                   "\xBB",
                                                   "\xBF",
                                                   "\xC3\xA9",
                                                   "\xC3",
                                                   "\xF0\x9F\x98\x80",
                                                   "\xF0\x9F",
                                                   "\xF0",
                                                   "\x80",
                                                   "\xFF",
                                                   "\xED\xA0\x80",
                                                   "\xE2\x82",
                                                   "foo: bar",
                                                   "{\"a\":1}",
                                                   "x"};
  std::string bytes;
  if (random() % 4 == 0) bytes = "\xEF\xBB\xBF";
  for (std::size_t i = 0; i < pieces; ++i) bytes += kPieces[random() % kPieces.size()];
  return bytes;
}

/// Expects the state of the same bytes fed at once after any single cut, after single bytes, and after `recuts` random
/// splits.
void expect_split_invariant(std::string_view bytes, std::mt19937& random, int recuts) {
  const SseReader whole = read_whole(bytes);
  SseReader bytewise;
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    SseReader two = fed_whole(bytes.substr(0, cut));
    ASSERT_EQ(bytewise, two) << "bytes [0, " << cut << ")";
    feed_exact(two, bytes.substr(cut));
    two.finish();
    ASSERT_EQ(two, whole) << "cut at " << cut;
    feed_exact(bytewise, bytes.substr(cut, 1));
  }
  bytewise.finish();
  ASSERT_EQ(bytewise, whole);
  for (int i = 0; i < recuts; ++i) {
    SseReader reader;
    for (std::string_view rest = bytes; !rest.empty();) {
      const std::size_t length = random() % std::min<std::size_t>(rest.size() + 1, 40);
      feed_exact(reader, rest.substr(0, length));
      rest.remove_prefix(length);
    }
    reader.finish();
    ASSERT_EQ(reader, whole) << "random split " << i;
  }
}

TEST(SseReader, FollowsTheStandardLineByLine) {
  struct Case {
    std::string_view bytes;
    std::vector<PlainEvent> events;
  };
  const std::vector<Case> cases = {
      {"data: a\n\n", {{"message", "a", ""}}},
      {"data:a\r\n\r\ndata:b\r\rdata:c\n\n",
       {{"message", "a", ""}, {"message", "b", ""}, {"message", "c", ""}}},
      {"\xEF\xBB\xBF"
       "data: a\n\n\xEF\xBB\xBF"
       "data: b\n\n",
       {{"message", "a", ""}}},
      {"data:  two spaces\n\n", {{"message", " two spaces", ""}}},
      {"data:\ttab\n\n", {{"message", "\ttab", ""}}},
      {"data\n\n", {{"message", "", ""}}},
      {"data:\n\n", {{"message", "", ""}}},
      {"data\ndata\n\n", {{"message", "\n", ""}}},
      {"data: a\ndata\n\n", {{"message", "a\n", ""}}},
      {"event: e\n\ndata: a\n\n", {{"message", "a", ""}}},
      {"event: e\nevent: f\ndata: a\n\n", {{"f", "a", ""}}},
      {"event: e\nevent\ndata: a\n\n", {{"message", "a", ""}}},
      {"id: 1\n\ndata: a\n\ndata: b\nid: 2\n\nid\ndata: c\n\n",
       {{"message", "a", "1"}, {"message", "b", "2"}, {"message", "c", ""}}},
      {"id: 1\nid: 2\0x\ndata: a\n\n"sv, {{"message", "a", "1"}}},
      {": data: no\n:data: no\ndata: a\n:\n\n", {{"message", "a", ""}}},
      {"Data: no\n data: no\ndata : no\ndata\0: no\nfoo\ndata: a\n\n"sv, {{"message", "a", ""}}},
      {"data: a:b: c\n\n", {{"message", "a:b: c", ""}}},
      {"data: a\xE2\x82\n\n", {{"message", "a\uFFFD", ""}}},
      {"data: a\n", {}},
      {"data: a", {}},
      {"", {}},
      {"\n\r\r\n\n", {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.bytes));
    std::vector<PlainEvent> events;
    const SseReader reader = read_whole(c.bytes);
    for (const SseEvent& e : reader.events()) {
      if (e.terminated) events.push_back({e.event.value_or("").empty() ? "message" : *e.event, e.data, e.id});
    }
    EXPECT_EQ(events, c.events);
    EXPECT_EQ(interpret_event_stream(c.bytes), c.events);
  }
}

TEST(SseReader, OddLinesBelongToTheEventThatFollows) {
  using Kind = OddLine::Kind;
  using Lines = std::vector<OddLine>;
  struct Case {
    std::string_view body;
    std::vector<Lines> odd;  // of each event
  };
  const std::vector<Case> cases = {
      {"data: a\n\n", {{}}},
      {": c\nevent: e\ndata\ndata:a\nid:\nretry: x\n\nid: 1\n\n: c\n\n", {{}}},
      {" data: a\ndata: b\n\n", {{{Kind::lost, " data: a", 1}}}},
      {"data: b\nData: a\nDATA : b\n\n", {{{Kind::lost, "Data: a", 2}}}},
      {"\xEF\xBB\xBF\xEF\xBB\xBF"
       "data: a\ndata: b\n\n",
       {{{Kind::lost,
          "\xEF\xBB\xBF"
          "data: a",
          1}}}},
      {"data: a\n{\"b\":1}\n\n", {{{Kind::lost, "{\"b\":1}", 2}}}},
      {"dat: a\nd\ndata: b\n\n", {{{Kind::stray, "dat: a", 1}}}},
      {"upstream slow\n\n\nevent: a\n\nData: x\n\ndata: b\n\ndata: c\n\n",
       {{{Kind::stray, "upstream slow", 1}, {Kind::dataless, "a", 4}, {Kind::lost, "Data: x", 6}}, {}}},
      {"event:\n\ndata: b\n\n", {{}}},
      {"data: b\n\nevent: ping\n\n0\n\n", {{{Kind::dataless, "ping", 3}, {Kind::stray, "0", 5}}}},
      {"data: b\n\n0", {{}, {{Kind::stray, "0", 3}}}},
      {"event: a\n\n", {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.body));
    const SseReader reader = read_whole(c.body);
    std::vector<Lines> odd;
    for (const SseEvent& event : reader.events()) {
      odd.push_back(event.odd);
      for (OddLine& line : odd.back()) {
        const std::string_view bytes = c.body.substr(line.begin, line.end - line.begin);
        if (line.kind == Kind::dataless) {
          EXPECT_TRUE(bytes.starts_with("event:") && bytes.ends_with("\n\n")) << bytes;
        } else {
          EXPECT_EQ(bytes, line.text);
        }
        line.begin = line.end = 0;  // the table is about the other fields
      }
    }
    EXPECT_EQ(odd, c.odd);
  }
  const SseReader reader = read_whole("x" + std::string(1'000'000, '\xA9') + "\ndata: a\n\n");
  EXPECT_LT(reader.events().at(0).odd.at(0).text.size(), 1000u);
}

TEST(SseReader, TellsLinesThatEndInACarriageReturnAlone) {
  const std::vector<std::pair<std::string_view, std::vector<bool>>> cases = {
      {"data: a\n\ndata: b\r\n\r\n", {false, false}},
      {"data: a\r\rdata: b\n\n", {true, false}},
      {"data: a\r\ndata: b\r\r\ndata: c\n\n", {true, false}},
      {"data: a\n\n\rdata: b\n\n", {false, true}},
      {"data: a\n\ndata: b\n\r", {false, true}},
      {"data: a\n\n: c\r", {true}},
  };
  for (const auto& [body, lone] : cases) {
    SCOPED_TRACE(testing::PrintToString(body));
    const SseReader reader = read_whole(body);
    std::vector<bool> told;
    for (const SseEvent& event : reader.events()) told.push_back(event.lone_cr);
    EXPECT_EQ(told, lone);
  }
}

TEST(SseReader, RetryTakesAsciiDigitsOnly) {
  struct Case {
    std::string_view value;
    std::optional<std::uint64_t> retry;
  };
  const std::vector<Case> cases = {{"3000", 3000},
                                   {"007", 7},
                                   {"", std::nullopt},
                                   {"-1", std::nullopt},
                                   {"+1", std::nullopt},
                                   {"1.5", std::nullopt},
                                   {" 1", std::nullopt},
                                   {"1 ", std::nullopt},
                                   {"1a", std::nullopt},
                                   {"\xD9\xA3", std::nullopt},
                                   {"99999999999999999999999999", std::numeric_limits<std::uint64_t>::max()}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.value);
    const SseReader reader = read_whole("retry: " + std::string(c.value) + "\ndata: a\n\ndata: b\n\n");
    ASSERT_EQ(reader.events().size(), 2u);
    EXPECT_EQ(reader.events()[0].retry, c.retry);
    EXPECT_EQ(reader.events()[1].retry, std::nullopt);
  }
}

TEST(SseReader, RangesHoldTheEventAndItsBlankLine) {
  struct Case {
    std::string_view before, event, after;
  };
  const std::vector<Case> cases = {
      {"", "data: a\n\n", ""},
      {"", "data: a\r\n\r\n", ""},
      {"", "data: a\r\r", "data: b"},
      {"", "data: a\n\r\n", "\n"},
      {"", "data: a\r\r\n", "\r\n"},
      {"\xEF\xBB\xBF", "data: a\n\n", "\n\n"},
      {"\n: hello\n\nevent: lost\n\n: keep-alive\r\n", "foo\n: inside\ndata: a\r\n\r\n", ": after\n\n"},
      {"data\n\r", "id: 1\rdata\r\n\r\n", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.event));
    const std::string bytes = std::string(c.before) + std::string(c.event) + std::string(c.after);
    const SseReader reader = read_whole(bytes);
    bool found = false;
    for (const SseEvent& event : reader.events()) {
      found = found || (event.begin == c.before.size() && event.end == c.before.size() + c.event.size());
    }
    EXPECT_TRUE(found);
  }
}

TEST(SseReader, CarriageReturnAtChunkEnd) {
  SseReader reader;
  reader.feed("data: a\r\n\r");
  ASSERT_EQ(reader.events().size(), 1u);
  EXPECT_EQ(reader.events()[0].end, 10u);
  reader.feed("\n");
  EXPECT_EQ(reader.events()[0].end, 11u);
  reader.feed("\n");
  EXPECT_EQ(reader.events()[0].end, 11u);
}

TEST(SseReader, DataOffsetsPointAtTheValues) {
  const std::string bytes =
      "\xEF\xBB\xBF"
      "data: ab\r\ndata\r\ndata:cd\r\n\r\n";
  const SseReader reader = read_whole(bytes);
  ASSERT_EQ(reader.events().size(), 1u);
  const SseEvent& event = reader.events()[0];
  ASSERT_EQ(event.data_at.size(), 3u);
  EXPECT_EQ(bytes.substr(event.data_at[0], 2), "ab");
  EXPECT_EQ(event.data_at[1], 3u + 10u + 4u);
  EXPECT_EQ(bytes.substr(event.data_at[2], 2), "cd");
}

TEST(SseReader, TailWithoutBlankLineIsKeptApart) {
  struct Case {
    std::string_view tail;
    bool kept;
    std::string_view data;
  };
  const std::vector<Case> cases = {{"", false, ""},
                                   {"\n", false, ""},
                                   {": comment", false, ""},
                                   {": comment\n", false, ""},
                                   {"data: b", true, "b"},
                                   {"data: b\n", true, "b"},
                                   {"data: b\nda", true, "b"},
                                   {"da", true, ""},
                                   {"event: e\n", true, ""},
                                   {"data: b\r", true, "b"},
                                   {"data: b\r\n", true, "b"},
                                   {"retry: 5", false, ""},
                                   {"id: 7\n", false, ""},
                                   {"id: 7\nretry: 5\n: x\n", false, ""},
                                   {"id: 7\nevent: e\n", true, ""},
                                   {"retry: 5\nx", true, ""},
                                   {"data: b\ndata: c", true, "b\nc"},
                                   {": x\ndata: b", true, "b"},
                                   {"data: \xE2\x82", true, "\uFFFD"}};
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.tail));
    const std::string bytes = "data: a\n\n" + std::string(c.tail);
    const SseReader reader = read_whole(bytes);
    ASSERT_EQ(reader.events().size(), c.kept ? 2u : 1u);
    EXPECT_TRUE(reader.events()[0].terminated);
    if (!c.kept) continue;
    EXPECT_FALSE(reader.events()[1].terminated);
    EXPECT_EQ(reader.events()[1].data, c.data);
    EXPECT_EQ(reader.events()[1].end, bytes.size());
    EXPECT_EQ(reader.events()[1].ill_formed_at, std::nullopt);
  }
}

TEST(SseReader, FirstIllFormedByteOfTheEvent) {
  struct Case {
    std::string_view bytes;
    std::optional<std::size_t> at;
  };
  const std::vector<Case> cases = {
      {"data: \xFF\n\n", 6},
      {"data: \xE2\x82\n\n", 6},
      {"data: \xE2\x82\xAC\n\n", std::nullopt},
      {"data: a\nfoo: \xC0\x80\n\n", 13},
      {"data: a\n: \xED\xA0\x80\n\n", 10},
      {": \xFF\ndata: a\n\n", std::nullopt},
      {"event: \xF4\x90\x80\x80\ndata: \xFF\n\n", 7},
      {"data: \xFF", 6},
      {"data: \xFF\xE2", 6},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.bytes));
    const SseReader reader = read_whole(c.bytes);
    ASSERT_EQ(reader.events().size(), 1u);
    EXPECT_EQ(reader.events()[0].ill_formed_at, c.at);
  }
}

TEST(SseReader, AgreesWithThePlainAlgorithmOnRandomBytes) {
  constexpr int kInputs = 20000;
  std::mt19937 random(20240607);
  std::size_t events_seen = 0;
  for (int i = 0; i < kInputs; ++i) {
    const std::string bytes = soup(random, 1 + random() % 40);
    SCOPED_TRACE(testing::PrintToString(bytes));
    std::vector<PlainEvent> events;
    std::size_t last_end = 0;
    const SseReader reader = read_whole(bytes);
    for (const SseEvent& e : reader.events()) {
      ASSERT_LE(last_end, e.begin);
      ASSERT_LT(e.begin, e.end);
      ASSERT_LE(e.end, bytes.size());
      last_end = e.end;
      if (!e.terminated) continue;
      events.push_back({e.event.value_or("").empty() ? "message" : *e.event, e.data, e.id});
      const auto range = std::string_view(bytes).substr(e.begin, e.end - e.begin);
      const std::size_t ill_formed = find_ill_formed_utf8(range);
      ASSERT_EQ(e.ill_formed_at.has_value(), ill_formed != range.npos);
      if (e.ill_formed_at) {
        ASSERT_EQ(*e.ill_formed_at, e.begin + ill_formed);
      }
    }
    ASSERT_EQ(events, interpret_event_stream(bytes));
    events_seen += events.size();
  }
  std::printf("seed 20240607: %d inputs, %zu events\n", kInputs, events_seen);
  EXPECT_GT(events_seen, static_cast<std::size_t>(kInputs) / 4);
}

TEST(SseReader, StateDependsOnBytesAloneUnderEverySplitOfRandomBytes) {
  std::mt19937 random(7);
  for (int i = 0; i < 1500; ++i) {
    const std::string bytes = soup(random, 1 + random() % 24);
    SCOPED_TRACE(testing::PrintToString(bytes));
    expect_split_invariant(bytes, random, 8);
    if (HasFatalFailure()) return;
  }
}

TEST(SseReader, StateIsTheSameForEverySplitOfRecordedStreams) {
  if (shared_recordings().empty()) GTEST_SKIP() << "../shared is absent";
  std::mt19937 random(11);
  int streams = 0;
  for (const char* protocol : {"anthropic-messages", "openai-chat", "openai-responses", "other"}) {
    for (const SharedStream& stream : sampled(shared_streams(protocol), 8)) {
      SCOPED_TRACE(stream.name);
      // Every single cut takes quadratic time, so only the head and the tail of a stream are used.
      const std::string_view body = stream.body;
      if (body.size() <= 400) {
        expect_split_invariant(body, random, 2);
      } else {
        expect_split_invariant(body.substr(0, 200), random, 2);
        expect_split_invariant(body.substr(body.size() - 200), random, 2);
      }
      if (HasFatalFailure()) return;
      SseReader bytewise;
      for (const char& byte : body) bytewise.feed({&byte, 1});
      bytewise.finish();
      ASSERT_EQ(bytewise, read_whole(body));
      ++streams;
    }
  }
  std::printf("%d streams\n", streams);
  EXPECT_GT(streams, kSanitized ? 80 : 700);
}

TEST(SseReader, TenMegabytesByteByByte) {
  const std::string line = "data: " + std::string(5'000'000, 'x') + "\n";
  SseReader reader;
  for (const char& byte : line + line + "\n") reader.feed({&byte, 1});
  ASSERT_EQ(reader.events().size(), 1u);
  EXPECT_EQ(reader.events()[0].data.size(), 10'000'001u);
  for (int i = 0; i < 1'000'000; ++i) reader.feed("\r\n");
  reader.finish();
  EXPECT_EQ(reader.events().size(), 1u);
}

}  // namespace
}  // namespace splitproof::observe::sse_reader_test
