#include "proxy/dialect/ollama_chat/reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "proxy/dialect/ollama_chat/framer.hpp"

namespace splitproof::proxy::dialect::ollama_chat::reader_test {
namespace {

using Events = std::vector<turn::Event>;

const turn::Begin kBegin{"m"};

Events read(const std::string& data, bool terminated = true, Limits limits = {}) {
  OllamaReader reader(limits);
  Events events;
  reader.read(wire::Frame{"", data, terminated}, events);
  return events;
}

Events message(const std::string& members) { return read(R"({"model":"m","message":{)" + members + "}}"); }

TEST(OllamaReader, TextThinkingCalls) {
  using turn::BlockKind;
  EXPECT_EQ(message(R"("role":"assistant","content":"a")"),
            (Events{kBegin, turn::Prose{BlockKind::text, "a"}}));
  EXPECT_EQ(message(R"("content":"a","thinking":"t")"),
            (Events{kBegin, turn::Prose{BlockKind::thinking, "t"}, turn::Prose{BlockKind::text, "a"}}));
  EXPECT_EQ(
      message(R"("content":"","tool_calls":[{"id":"i","function":{"name":"f","arguments":{"a": 1.0}}},7,{},
                       {"function":{"index":5,"name":"g","arguments":null}}])"),
      (Events{kBegin, turn::CallPiece{0, 0, "i", "f", R"({"a": 1.0})"}, turn::CallPiece{1, 5, "", "g", ""}}));
  EXPECT_EQ(message(R"("content":7,"tool_calls":null)"), Events{kBegin});
  EXPECT_EQ(read("{}"), Events());
}

TEST(OllamaReader, TheEnd) {
  EXPECT_EQ(read(R"({"model":"m","done":true,"done_reason":"length","prompt_eval_count":3,"eval_count":4})"),
            (Events{kBegin, turn::Usage{3, {}, 4}, turn::Finished{turn::Finish::length}, turn::Done{}}));
  for (const char* reason :
       {"", R"(,"done_reason":"stop")", R"(,"done_reason":"unload")", R"(,"done_reason":null)"}) {
    EXPECT_EQ(read(R"({"model":"m","done":true)" + std::string(reason) + "}"),
              (Events{kBegin, turn::Usage{}, turn::Finished{turn::Finish::stop}, turn::Done{}}));
  }
  EXPECT_EQ(read(R"({"done":"true"})"), Events());
}

TEST(OllamaReader, Errors) {
  const auto failure = [](const std::string& text) {
    return Events{turn::Failure{turn::ErrorKind::api, text}};
  };
  EXPECT_EQ(read(R"({"error":"no","done":true,"message":7})").back(), failure("no").back());
  EXPECT_EQ(read(R"({"error":"no"})"), failure("no"));
  EXPECT_EQ(read(R"({"error":{"message":"no"}})"), failure("no"));
  EXPECT_EQ(read(R"({"error":""})"), Events());
  EXPECT_EQ(read("broken"), failure("upstream line 1 is not JSON"));
  EXPECT_EQ(read("[]"), failure("upstream line 1 is not a JSON object"));
  EXPECT_EQ(read(R"({"a":[[[]]]})", true, Limits{.json_depth = 3}),
            failure("upstream line 1 nests deeper than 3 levels"));
  EXPECT_EQ(read("broken", false), Events()) << "how the body ended decides";
  OllamaReader reader{Limits{.event_bytes = 9}};
  Events events;
  reader.read(wire::Frame{"", "", true, true}, events);
  EXPECT_EQ(events, failure("upstream line 1 is larger than 9 bytes"));
}

TEST(OllamaFramer, GivesLinesHoweverTheyAreCut) {
  const std::string body = "\xEF\xBB\xBF{}\r\n \n\xEF\xBB\xBF\n{\"a\"";
  const std::vector<wire::Frame> lines = {{"", "{}\r"}, {"", "\xEF\xBB\xBF"}, {"", "{\"a\"", false}};
  for (std::size_t cut = 0; cut <= body.size(); ++cut) {
    OllamaFramer framer(100);
    OllamaFramer whole(100);
    std::vector<wire::Frame> frames;
    std::vector<wire::Frame> same;
    framer.feed(body.substr(0, cut), frames);
    framer.feed(body.substr(cut), frames);
    whole.feed(body, same);
    EXPECT_EQ(framer, whole);
    framer.finish(frames);
    EXPECT_EQ(frames, lines) << cut;
  }
}

TEST(OllamaFramer, StopsAtALineThatIsTooLong) {
  for (std::size_t cut = 0; cut <= 9; ++cut) {
    OllamaFramer framer(4);
    std::vector<wire::Frame> frames;
    const std::string body = "1234\n12345";
    framer.feed(body.substr(0, cut), frames);
    framer.feed(body.substr(cut), frames);
    framer.feed("\n1\n", frames);
    framer.finish(frames);
    EXPECT_EQ(frames, (std::vector<wire::Frame>{{"", "1234"}, {"", "", true, true}}));
  }
}

}  // namespace
}  // namespace splitproof::proxy::dialect::ollama_chat::reader_test
