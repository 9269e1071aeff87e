#include "harness/observe/framing.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "tests/harness/split/json_line_bodies.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::observe::framing_test {
namespace {

void feed(auto& reader, std::string_view chunk) {
  const auto exact = std::make_unique<char[]>(chunk.size());
  if (!chunk.empty()) std::memcpy(exact.get(), chunk.data(), chunk.size());
  reader.feed({exact.get(), chunk.size()});
}

/// Returns the single cuts of a body, and 0 for cuts between all bytes, after which a reader's state differs from the
/// state for one piece.
template <class Reader>
std::vector<std::size_t> cuts_that_show(const Reader& fresh, std::string_view body) {
  Reader whole = fresh;
  feed(whole, body);
  whole.finish();
  std::vector<std::size_t> shown;
  const std::size_t stride = 1 + body.size() / 128;
  for (std::size_t cut = 0; cut < body.size(); cut += stride) {
    Reader reader = fresh;
    if (cut > 0) {
      feed(reader, body.substr(0, cut));
      feed(reader, body.substr(cut));
    } else {
      for (std::size_t at = 0; at < body.size(); ++at) feed(reader, body.substr(at, 1));
    }
    reader.finish();
    if (!(reader == whole)) shown.push_back(cut);
  }
  return shown;
}

/// A reader with the usual bug: it treats each chunk as whole lines.
struct ChunkReader {
  std::vector<SseEvent> read;
  void feed(std::string_view bytes) {
    JsonLinesReader reader;
    reader.feed(bytes);
    reader.finish();
    for (const SseEvent& event : reader.events()) read.push_back(event);
  }
  void finish() {}
  bool operator==(const ChunkReader&) const = default;
};

TEST(JsonLinesReader, DoesNotShowHowABodyWasCut) {
  std::size_t by_chunks = 0;
  for (const std::string& body : sampled(json_line_bodies(), 9)) {
    EXPECT_EQ(cuts_that_show(JsonLinesReader(), body), std::vector<std::size_t>()) << body.substr(0, 200);
    EXPECT_EQ(cuts_that_show(FrameReader(Framing::json_lines), body), std::vector<std::size_t>());
    by_chunks += cuts_that_show(ChunkReader(), body).size();
  }
  EXPECT_GT(by_chunks, kSanitized ? 5U : 50U) << "a reader of chunks was not told apart";
}

std::string blank_of(std::string_view text) {
  return std::string(text.find_first_not_of(" \t\r\n") == text.npos ? "" : "x");
}

TEST(JsonLinesReader, GivesEachLineThatIsNotWhiteSpace) {
  std::size_t frames = 0;
  for (const std::string& body : json_line_bodies()) {
    SCOPED_TRACE(body.substr(0, 200));
    JsonLinesReader reader;
    feed(reader, body);
    reader.finish();
    std::size_t at = body.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    for (const SseEvent& event : reader.events()) {
      ASSERT_LE(at, event.begin);
      ASSERT_LT(event.begin, event.end);
      ASSERT_LE(event.end, body.size());
      EXPECT_EQ(blank_of(std::string_view(body).substr(at, event.begin - at)), "") << "a line is left out";
      EXPECT_TRUE(at == event.begin || body[event.begin - 1] == '\n');
      EXPECT_EQ(event.terminated, body[event.end - 1] == '\n');
      std::string line = body.substr(event.begin, event.end - event.begin);
      EXPECT_EQ(line.find('\n'), event.terminated ? line.size() - 1 : line.npos);
      if (event.terminated) line.pop_back();
      if (event.terminated && line.ends_with('\r')) line.pop_back();
      EXPECT_TRUE(event.ill_formed_data || event.data == line) << event.data;
      EXPECT_EQ(event.data_at, std::vector<std::size_t>{event.begin});
      at = event.end;
      ++frames;
    }
    EXPECT_EQ(blank_of(std::string_view(body).substr(at)), "") << "the tail is left out";
  }
  EXPECT_GT(frames, 10U);
}

TEST(JsonLinesReader, SaysWhatIsNoText) {
  JsonLinesReader reader;
  reader.feed("{}\n\n[\"\xFF\"]\n\"\xE2\x82");
  reader.finish();
  ASSERT_EQ(reader.events().size(), 3U);
  EXPECT_FALSE(reader.events()[0].ill_formed_data);
  EXPECT_EQ(reader.events()[1].ill_formed_at, 6U);
  EXPECT_EQ(reader.events()[1].data, "[\"\xEF\xBF\xBD\"]");
  EXPECT_EQ(reader.events()[1].line, 3U);
  EXPECT_FALSE(reader.events()[2].ill_formed_at) << "the end cut the character in two";
  EXPECT_FALSE(reader.events()[2].terminated);
}

TEST(FrameReader, ReadsServerSentEventsAsTheirReaderDoes) {
  const std::string body = ": c\n\ndata: a\r\n\r\ndata: b\n\nevent: x\ndata: ";
  SseReader reader;
  reader.feed(body);
  reader.finish();
  FrameReader frames(Framing::sse);
  feed(frames, body);
  frames.finish();
  EXPECT_EQ(frames.events(), reader.events());
}

}  // namespace
}  // namespace splitproof::observe::framing_test
