#include "harness/testee/pipe_protocol.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "harness/recording/base64.hpp"
#include "harness/utf8.hpp"

namespace splitproof::testee::pipe_protocol_test {
namespace {

PipeWord word_of(std::string_view line) { return read_pipe_word(line, PipeRole::translator); }

PipeWord word_of_reader(std::string_view line) { return read_pipe_word(line, PipeRole::reader); }

using Json = nlohmann::json;
using Kind = PipeWord::Kind;

std::string random_bytes(std::mt19937& random, std::size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random() & 0xFFU);
  return bytes;
}

TEST(PipeProtocol, EachMessageIsOneLineOfJsonWithAllItsData) {
  std::mt19937 random(1);
  for (std::size_t size = 0; size < 300; ++size) {
    const std::string chunk = random_bytes(random, size);
    const std::string line = feed_line(chunk);
    ASSERT_EQ(line.find('\n'), line.size() - 1);
    const Json told = Json::parse(line);
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(recording::from_base64(told["feed"].get<std::string>()), chunk);
  }
  for (const recording::End end :
       {recording::End::complete, recording::End::closed, recording::End::reset, recording::End::stall}) {
    EXPECT_EQ(end_line(end), "{\"end\":\"" + std::string(recording::name(end)) + "\"}\n");
  }
}

TEST(PipeProtocol, StatesHaveNames) {
  EXPECT_EQ(fork_line(7), "{\"fork\":\"7\"}\n");
  EXPECT_EQ(use_line(12), "{\"use\":\"12\"}\n");
}

TEST(PipeProtocol, OpeningHasBothProtocolsAndTheRequest) {
  const Json request{{"model", "m"},
                     {"messages", Json::array({{{"content", "two\nlines, \"quoted\" \xE2\x9C\x93"}}})}};
  const std::string line = open_line("anthropic.messages", "openai.chat", request.dump());
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_EQ(Json::parse(line),
            (Json{{"open",
                   {{"client", "anthropic.messages"}, {"upstream", "openai.chat"}, {"request", request}}}}));
}

TEST(PipeProtocol, ReadsEveryKindOfLine) {
  EXPECT_EQ(word_of(R"({"ack":true})"), (PipeWord{Kind::ack, "", ""}));
  EXPECT_EQ(word_of("\t{ \"ack\" : true } \r"), (PipeWord{Kind::ack, "", ""}));
  EXPECT_EQ(word_of(R"({"ask":{"body":{"model":"m"}}})"),
            (PipeWord{Kind::ask, R"({"body":{"model":"m"}})", ""}));
  EXPECT_EQ(word_of(R"({"ask":"m"})").kind, Kind::garbage);
  EXPECT_EQ(word_of(R"({"cut":true})"), (PipeWord{Kind::cut, "", ""}));
  EXPECT_EQ(word_of(R"({"skip":"no images"})"), (PipeWord{Kind::skip, "no images", ""}));
  EXPECT_EQ(word_of(R"({"issue":"https://example.org/7","skip":"no"})"),
            (PipeWord{Kind::skip, "no", "https://example.org/7"}));
  EXPECT_EQ(word_of(R"({"error":"it broke"})"), (PipeWord{Kind::error, "it broke", ""}));
  std::mt19937 random(2);
  for (std::size_t size = 0; size < 300; ++size) {
    const std::string bytes = random_bytes(random, size);
    EXPECT_EQ(word_of("{\"out\":\"" + recording::to_base64(bytes) + "\"}"), (PipeWord{Kind::out, bytes, ""}));
  }
}

TEST(PipeProtocol, OtherOutputIsGarbageThatShowsTheLine) {
  for (const std::string line : {
           "",
           " ",
           "hello",
           "ack",
           "true",
           "[]",
           "{}",
           "null",
           R"({"ack":false})",
           R"({"ack":1})",
           R"({"ack":"true"})",
           R"({"ack":null})",
           R"({"Ack":true})",
           R"({"cut":false})",
           R"({"cut":"reset"})",
           R"({"digest":""})",
           R"({"digest":true})",
           R"({"ack":true,"cut":true})",
           R"({"ack":true,"out":""})",
           R"({"ack":true,"more":1})",
           R"({"ack":true}{"ack":true})",
           R"({"ack":true} x)",
           R"({"ack":true)",
           R"({'ack':true})",
           R"({"out":"YQ"})",      // no padding
           R"({"out":"YQ==\n"})",  // contains a line end
           R"({"out":"Y Q="})",
           R"({"out":"-_8="})",  // base64url
           R"({"out":7})",
           R"({"out":null})",
           R"({"out":["YQ=="]})",
           R"({"out":"YQ==","issue":"x"})",
           R"({"issue":"x"})",
           R"({"skip":true})",
           R"({"skip":"no","issue":7})",
           R"({"skip":"no","more":"x"})",
           R"({"skip":"no","ack":true})",
           R"({"error":{}})",
           R"({"error":"x","issue":"y"})",
       }) {
    const PipeWord word = word_of(line);
    EXPECT_EQ(word.kind, Kind::garbage) << line;
    EXPECT_NE(word.text.find(in_backticks(line)), std::string::npos) << word.text;
  }
}

TEST(PipeProtocol, NoBytesAreAWordUnlessTheyAreJson) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    const PipeWord word = word_of(random_bytes(random, random() % 40));
    EXPECT_EQ(word.kind, Kind::garbage);
  }
  // A good line with a changed byte is a line of the same kind, or garbage.
  const std::string good = R"({"out":"aGVsbG8="})";
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string bad = good;
      bad[at] = static_cast<char>(byte);
      const Kind kind = word_of(bad).kind;
      EXPECT_TRUE(kind == Kind::garbage || kind == Kind::out) << bad;
    }
  }
}

TEST(PipeProtocol, QuotesStayShortPrintableAndInOnePiece) {
  EXPECT_EQ(in_backticks("plain \xC3\xA9 \xE2\x9C\x93"), "`plain \xC3\xA9 \xE2\x9C\x93`");
  EXPECT_EQ(in_backticks(std::string_view("a\0\n\x7F\xFF\xC2\x9B", 7)), "`a\\x00\\x0A\\x7F\\xFF\\xC2\\x9B`");
  EXPECT_EQ(in_backticks(std::string(120, 'x')), "`" + std::string(120, 'x') + "`");
  EXPECT_EQ(in_backticks(std::string(121, 'x')), "`" + std::string(120, 'x') + "...`");
  EXPECT_EQ(in_backticks(std::string(119, 'x') + "\xC3\xA9"), "`" + std::string(119, 'x') + "...`");
  std::mt19937 random(4);
  for (int i = 0; i < 2000; ++i) {
    const std::string text = in_backticks(random_bytes(random, random() % 400));
    EXPECT_LE(text.size(), 4 * 120 + 5U);
    EXPECT_EQ(find_ill_formed_utf8(text), std::string::npos);
    for (const char c : text) EXPECT_FALSE((c >= 0 && c < 0x20) || c == 0x7F);
  }
}

TEST(PipeLines, DoNotDependOnHowThePiecesWereCut) {
  const std::string text = std::string("one\n\ntwo\r\n\0three\n", 17) + "unfinished";
  const std::vector<std::string> lines{"one", "", "two\r", std::string("\0three", 6)};
  std::mt19937 random(5);
  for (int i = 0; i < 500; ++i) {
    PipeLines gathered;
    std::vector<std::string> got;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = 1 + random() % (i % 2 == 0 ? 3 : 20);
      gathered.add(std::string_view(text).substr(at, size));
      at += size;
      if (random() % 2 == 0) continue;  // take lines late, and several at once
      while (const auto line = gathered.next()) got.push_back(*line);
    }
    while (const auto line = gathered.next()) got.push_back(*line);
    EXPECT_EQ(got, lines);
    EXPECT_EQ(gathered.rest(), "unfinished");
  }
}

TEST(PipeProtocol, ReaderReportsEventsAndErrorsAsLines) {
  using Kind = PipeWord::Kind;
  EXPECT_EQ(open_reader_line(), "{\"open\":{\"reads\":\"sse\"}}\n");
  EXPECT_EQ(word_of_reader(R"({"event":{"event":null,"data":"Ebb","id":"7"}})"),
            (PipeWord{Kind::out, "{\"data\":\"Ebb\",\"event\":\"\",\"id\":\"7\"}\n", ""}));
  EXPECT_EQ(word_of_reader(R"({"error":"it broke"})"),
            (PipeWord{Kind::out, "{\"error\":\"it broke\"}\n", ""}));
  EXPECT_EQ(word_of_reader(R"({"ack":true})"), (PipeWord{Kind::ack, "", ""}));
  for (const char* line :
       {R"({"event":{"event":"tide"}})", R"({"event":{"data":null}})", R"({"event":"Ebb"})",
        R"({"event":{"data":"Ebb","retry":"1"}})", R"({"out":""})", R"({"cut":true})"})
    EXPECT_EQ(word_of_reader(line).kind, Kind::garbage) << line;
  EXPECT_EQ(word_of(R"({"event":{"data":"Ebb"}})").kind, Kind::garbage);
}

TEST(PipeProtocol, ClientTellsTextAndThenItsAnswer) {
  using Kind = PipeWord::Kind;
  const auto word_of_client = [](std::string_view line) { return read_pipe_word(line, PipeRole::client); };
  EXPECT_EQ(read_line("http://127.0.0.1:1/sp", "openai.chat", "{}", ""),
            "{\"read\":{\"url\":\"http://127.0.0.1:1/sp\",\"client\":\"openai.chat\",\"request\":{}}}\n");
  EXPECT_EQ(read_line("http://127.0.0.1:1/sp", "ollama.chat", "", ""),
            "{\"read\":{\"url\":\"http://127.0.0.1:1/sp\",\"client\":\"ollama.chat\"}}\n");
  EXPECT_EQ(read_line("http://127.0.0.1:1/sp", "openai.chat", "{}", "{\"results\":[]}"),
            "{\"read\":{\"url\":\"http://127.0.0.1:1/sp\",\"client\":\"openai.chat\",\"request\":{},"
            "\"next\":{\"results\":[]}}}\n");
  EXPECT_EQ(word_of_client(R"({"told":{"text":"Ebb"}})"), (PipeWord{Kind::out, "{\"told\":3}\n", ""}));
  // Languages with UTF-16 send halves of a pair.
  EXPECT_EQ(word_of_client(R"({"told":{"text":"\ud83d"}})").kind, Kind::out);
  const PipeWord answer = word_of_client(R"({"answer":{"text":"Ebb","error":null}})");
  EXPECT_EQ(answer.kind, Kind::answer);
  EXPECT_EQ(
      answer.text,
      "{\"answer\":{\"calls\":[],\"error\":null,\"stop\":\"\",\"text\":\"Ebb\",\"thinking\":\"\",\"usage\":{}}}\n");
  EXPECT_EQ(word_of_client(R"({"skip":"no images"})"), (PipeWord{Kind::skip, "no images", ""}));
  for (const char* line : {"Ebb", "[]", R"({"answer":"Ebb"})", R"({"told":{"size":3}})", R"({"ack":true})",
                           R"({"told":{},"answer":{}})", R"({"skip":true})", R"({"event":{"data":"Ebb"}})"})
    EXPECT_EQ(word_of_client(line).kind, Kind::garbage) << line;
}

}  // namespace
}  // namespace splitproof::testee::pipe_protocol_test
