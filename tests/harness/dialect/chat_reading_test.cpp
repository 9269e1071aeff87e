// Meaning of Chat Completions streams. The file is long because each irregularity, and each shape for rules, is a
// stream of a few chunks next to its meaning.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "harness/dialect/openai_chat/reading.hpp"
#include "harness/utf8.hpp"
#include "tests/harness/dialect/chat_stream.hpp"

namespace splitproof::dialect::chat_reading_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces

std::string read(const std::string& body) { return in_short(read_chat(body)); }
std::string usage_of(const std::string& body) { return tokens_in_short(read_chat(body).usage); }

std::string kCall(std::string_view id = "a") {
  return call(R"({"index":0,"id":")" + std::string(id) + R"(","function":{"name":"f","arguments":"{}"}})");
}

TEST(ChatReading, JoinsProseOfOneKindUntilAnotherPartBegins) {
  EXPECT_EQ(read(text("a") + text("") + text("b") + delta(R"({"reasoning":"c"})") + text("d") + kCall() +
                 text("e") + delta(R"({"refusal":"g"})") + text("h")),
            "text[ab] thinking[c] text[d] call[a|f|{}] text[e] refusal[g] text[h]");
}

TEST(ChatReading, ReadsThinkingThenTextThenRefusalThenCallsInAChunk) {
  EXPECT_EQ(read(delta(R"({"tool_calls":[{"id":"a","function":{"name":"f"}}],"refusal":"r","content":"t",)"
                       R"("reasoning_content":"k"})")),
            "thinking[k] text[t] refusal[r] call[a|f|]");
}

TEST(ChatReading, ReadsReasoningOnceHoweverManyKeysHoldIt) {
  EXPECT_EQ(
      read(
          delta(R"({"reasoning":"b","reasoning_content":"a","reasoning_details":[{"text":"c"}]})") +
          delta(R"({"reasoning":"b","reasoning_content":"","reasoning_details":[{"text":"c"}]})") +
          delta(
              R"({"reasoning":null,"reasoning_details":[{"text":"","summary":"d"},{"text":"e"},{"data":"x"}]})")),
      "thinking[abde]");
}

TEST(ChatReading, ReadsThinkingBlocksWhereNoOtherKeyHasText) {
  const std::string blocks =
      R"("thinking_blocks":[{"thinking":"a"},{"data":"x"},{"thinking":"b","signature":"s"}])";
  EXPECT_EQ(read(delta("{" + blocks + "}")), "thinking[a] thinking[b|s]") << "data lies between";
  const auto element = [](const char* said) {
    return delta(std::string(R"({"thinking_blocks":[{)") + said + "}]}");
  };
  EXPECT_EQ(read(element(R"("thinking":"a")") + element(R"("data":"x")") + element(R"("thinking":"b")")),
            "thinking[a] thinking[b]")
      << "in a chunk of its own";
  EXPECT_EQ(read(delta(R"({"reasoning":"","reasoning_details":[{"text":"c"}],)" + blocks + "}")),
            "thinking[c|s]");
}

TEST(ChatReading, ReadsPartsOfContentInTheirOrder) {
  EXPECT_EQ(
      read(delta(
          R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"a"},{"text":"b"}]},)"
          R"({"type":"text","text":"c"},{"type":"thinking","thinking":"d"},{"type":"x","text":"e"},7]})")),
      "thinking[ab] text[c] thinking[d]");
}

TEST(ChatReading, EndsAThoughtAtItsSignature) {
  const std::string signs = R"("reasoning_details":[{"signature":"s1"},{"signature":"s2"},{"signature":""}])";
  EXPECT_EQ(read(delta(R"({"reasoning":"a",)" + signs + "}")), "thinking[a|s1] thinking[|s2]");
  EXPECT_EQ(read(delta(R"({"reasoning":"a"})") + delta(R"({"content":"b",)" + signs + "}")),
            "thinking[a|s1] thinking[|s2] text[b]");
  EXPECT_EQ(read(delta(R"({"reasoning":"a"})") + text("b") + delta("{" + signs + "}")),
            "thinking[a] text[b]");
  EXPECT_EQ(read(delta("{" + signs + "}") + text("b")), "thinking[|s1] thinking[|s2] text[b]")
      << "parts by themselves";
  const auto thinks = [](const char* said) { return delta(std::string(R"({"reasoning":")") + said + "\"}"); };
  const auto sign = [](const char* signature) {
    return delta(std::string(R"({"thinking_blocks":[{"thinking":"","signature":")") + signature + "\"}]}");
  };
  EXPECT_EQ(read(thinks("a") + sign("s") + thinks("b") + sign("t")), "thinking[a|s] thinking[b|t]");
  EXPECT_EQ(read(thinks("a") + sign("s") + sign("s") + text("b") + sign("s")), "thinking[a|s] text[b]")
      << "again";
  EXPECT_EQ(read(thinks("a") + sign("s") + text("b") + sign("t")), "thinking[a|s] text[b] thinking[|t]");
  EXPECT_EQ(read(thinks("a") + sign("s") + delta(R"({"content":[{"type":"thinking","thinking":"b"}]})")),
            "thinking[a|s] thinking[b]");
}

// The elements of two thoughts stay two thoughts for any chunks and any neighbours.
TEST(ChatReading, DividesThoughtsAsListsDo) {
  struct Element {
    const char* text;
    const char* signature;
    const char* number;
  };
  const std::vector<Element> signed_ones = {
      {"a", "", "0"}, {"b", "s", "0"}, {"c", "", "1"}, {"d", "", "1"}, {"", "t", "1"}};
  const std::vector<Element> numbered = {{"a", "", "0"}, {"b", "", "0"}, {"c", "", "1"}, {"d", "", "1"}};
  const auto stream = [](const std::vector<Element>& elements, unsigned cuts, const char* list, bool numbers,
                         bool beside) {
    std::string body, inner, said;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const auto& [text, signature, number] = elements[i];
      inner += std::string(inner.empty() ? "" : ",") + R"({"text":")" + text + R"(","thinking":")" + text +
               R"(","signature":")" + signature + "\"" +
               (numbers ? std::string(",\"index\":") + number : "") + "}";
      said += text;
      if ((cuts >> i & 1U) == 0 && i + 1 < elements.size()) continue;
      body += delta("{" + (beside ? R"("reasoning":")" + said + "\"," : std::string()) + "\"" + list +
                    "\":[" + inner + "]}");
      inner.clear();
      said.clear();
    }
    return body;
  };
  for (const char* list : {"reasoning_details", "thinking_blocks"}) {
    for (const bool beside : {false, true}) {
      for (unsigned cuts = 0; cuts < 32; ++cuts) {
        for (const bool numbers : {false, true})
          EXPECT_EQ(read(stream(signed_ones, cuts, list, numbers, beside)), "thinking[ab|s] thinking[cd|t]")
              << cuts << numbers << beside;
        EXPECT_EQ(read(stream(numbered, cuts, list, true, beside)), "thinking[ab] thinking[cd]")
            << cuts << beside;
      }
    }
  }
}

TEST(ChatReading, PlacesACallWhereIdAndNameAreKnown) {
  const std::string body = call(R"({"index":5,"function":{"arguments":"{"}})") + text("a") +
                           call(R"({"index":5,"id":"i","function":{"arguments":"\"x\""}})") + text("b") +
                           call(R"({"index":5,"function":{"name":"f","arguments":":1}"}})") + text("c");
  EXPECT_EQ(read(body), R"(text[ab] call[i|f|{"x":1}] text[c])");
}

TEST(ChatReading, AppendsCallsWithoutIdOrNameByRank) {
  const std::string body =
      call(R"({"index":2,"function":{"name":"c"}})") + call(R"({"index":0,"id":"a","function":{}})") +
      kCall("placed") + call(R"({"index":1,"function":{"name":"b"}})") +
      call(R"({"index":1,"function":{"name":"b2"}})") + call(R"({"index":9})") + text("t");
  EXPECT_EQ(read(body), "call[placed|f|{}] text[t] call[a||] call[|b|] call[|b2|] call[|c|]");
}

TEST(ChatReading, ShowsTheArgumentsOfWaitingCalls) {
  SseReader reader;
  reader.feed(call(R"({"index":4,"function":{"name":"f","arguments":"{\"x"}})"));
  ChatReading reading;
  reading.take(reader.events().front());
  EXPECT_TRUE(reading.so_far().parts.empty());
  ASSERT_EQ(reading.waiting().size(), 1u);
  EXPECT_EQ(reading.waiting().at(0).arguments, "{\"x");
  EXPECT_EQ(reading.waiting().at(0).name, "f");
  EXPECT_EQ(reading.waiting().at(0).rank, 4u);
}

TEST(ChatReading, TakesTheFirstIdAndNameThatAreNotEmpty) {
  EXPECT_EQ(read(call(R"({"index":0,"id":"","function":{"name":null}})") +
                 call(R"({"index":0,"id":12,"function":{"name":5}})") +
                 call(R"({"index":0,"function":{"name":"f"}})") +
                 call(R"({"index":0,"function":{"name":"g","arguments":"{}"}})")),
            "call[12|f|{}]");
}

TEST(ChatReading, KeepsArgumentsAsTheyWereWritten) {
  EXPECT_EQ(read(call(R"({"index":0,"id":"a","function":{"name":"f","arguments":{ "n": 1.50 }}})")),
            R"(call[a|f|{ "n": 1.50 }])");
  EXPECT_EQ(read(call(R"({"index":0,"id":"a","function":{"name":"f","arguments":" \n"}})") +
                 call(R"({"index":0,"function":{"arguments":null}})") +
                 call(R"({"index":0,"function":{"arguments":"null"}})")),
            "call[a|f| \nnull]");
}

TEST(ChatReading, RefusesACallThatGoesOnBehindAnotherPart) {
  const auto goes_on = [](std::string_view arguments) {
    return call(R"({"index":0,"function":{"arguments":")" + std::string(arguments) + R"("}})");
  };
  const std::string whole = call(R"({"index":0,"id":"a","function":{"name":"f","arguments":"{\"n\":1}"}})");
  const std::string before = R"(call[a|f|{"n":1}] text[x] )";
  const std::string error =
      "!a call continues although its arguments were complete and other content had begun";
  EXPECT_EQ(read(whole + text("x") + goes_on("{ }") + text("y") + finish("stop")), before + error);
  EXPECT_EQ(read(kCall() + text("x") + goes_on(" ") + text("y")), "call[a|f|{}] text[xy]");
  EXPECT_EQ(read(whole + goes_on("{ }") + text("y")), R"(call[a|f|{"n":1}{ }] text[y])");
  EXPECT_EQ(read(kCall() + goes_on("{ }") + text("y")), "call[a|f|{ }] text[y]");
  EXPECT_EQ(read(whole + text(R"(\ud83c)") + goes_on("{ }")),
            "call[a|f|{\"n\":1}] text[\xEF\xBF\xBD] " + error);
  EXPECT_EQ(read(kCall() + call(R"({"index":1,"function":{"name":"g"}})") + goes_on("7")),
            "call[a|f|{}7] call[|g|]")
      << "what waits has not begun";
  EXPECT_EQ(read(call(R"({"index":0,"id":"a","function":{"name":"f","arguments":"{"}})") + text("x") +
                 goes_on("}") + text("y")),
            "call[a|f|{}] text[xy]");
  EXPECT_EQ(read(whole + delta(R"({"content":"x","tool_calls":[{"index":0,"function":{"arguments":"{ }"}},)"
                               R"({"index":1,"id":"b","function":{"name":"g"}}]})")),
            before + error)
      << "within one chunk, text has begun before the call goes on, and nothing after counts";
  EXPECT_EQ(read(kCall() + text("x") + goes_on("{}") + text("y")), "call[a|f|{}] text[xy]")
      << "what comes again does not go on";
}

TEST(ChatReading, JoinsHalvesOfSurrogatePairsAcrossPieces) {
  const std::string wave = "\xF0\x9F\x8C\x8A";
  const std::string lost = "\xEF\xBF\xBD";
  EXPECT_EQ(read(text(R"(a\ud83c)") + text("") + text(R"(\udf0ab)")), "text[a" + wave + "b]");
  EXPECT_EQ(read(text(R"(\ud83c)") + kCall() + text(R"(\udf0a)")),
            "text[" + lost + "] call[a|f|{}] text[" + lost + "]");
  EXPECT_EQ(read(text(R"(a\ud83c)") + delta(R"({"reasoning":"\udf0a"})")),
            "text[a" + lost + "] thinking[" + lost + "]");
  EXPECT_EQ(read(text(R"(a\ud83c)")), "text[a" + lost + "]");
  EXPECT_EQ(read(text(R"(a\ud83c)") + kDone), "text[a" + lost + "] done");
  EXPECT_EQ(read(delta(R"({"refusal":"\ud83c"})") + delta(R"({"refusal":"\udf0a"})")),
            "refusal[" + wave + "]");
  EXPECT_EQ(read(delta(R"({"reasoning":"\ud83c"})") + delta(R"({"reasoning_content":"\udf0a"})")),
            "thinking[" + wave + "]");
  // Another call does not end a call.
  EXPECT_EQ(read(call(R"({"index":0,"id":"a","function":{"name":"f","arguments":"{\"\ud83c"}})") +
                 call(R"({"index":1,"id":"b","function":{"name":"g","arguments":"\ud83c"}})") +
                 call(R"({"index":0,"function":{"arguments":"\udf0a\":1}"}})")),
            "call[a|f|{\"" + wave + "\":1}] call[b|g|" + lost + "]");
}

TEST(ChatReading, NeverShowsAHalfThatStillWaits) {
  SseReader reader;
  reader.feed(text(R"(\ud83c)") + text(R"(\udf0a)"));
  ChatReading reading;
  reading.take(reader.events()[0]);
  EXPECT_TRUE(reading.so_far().parts.empty());
  reading.take(reader.events()[1]);
  ASSERT_EQ(reading.so_far().parts.size(), 1u);
  EXPECT_EQ(reading.so_far().parts[0].text, "\xF0\x9F\x8C\x8A");
}

TEST(ChatReading, ReadsChoiceZeroOnly) {
  EXPECT_EQ(read(frame(R"({"choices":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}]})") +
                 frame(R"({"choices":[{"index":1,"delta":{"content":"c"},"finish_reason":"length"},)"
                       R"({"index":0,"delta":{"content":"d"},"finish_reason":"stop"}]})") +
                 frame(R"({"choices":[7,{"delta":{"content":"e"}}]})") +
                 frame(R"({"choices":[{"index":"1","delta":{"content":"f"}}]})")),
            "text[adf] =stop");
}

TEST(ChatReading, ReadsAllEntriesOfChoiceZeroInAChunk) {
  EXPECT_EQ(read(frame(R"({"choices":[{"delta":{"content":"a"}},{"index":0,"delta":{"content":"b"}}]})")),
            "text[ab]");
  EXPECT_EQ(read(frame(R"({"choices":[{"index":0,"delta":{"content":"a"}},{"index":0,"delta":{"tool_calls":)"
                       R"([{"index":0,"id":"i","function":{"name":"f","arguments":"{}"}}]},)"
                       R"("finish_reason":"tool_calls"}]})")),
            "text[a] call[i|f|{}] =tool_calls");
}

TEST(ChatReading, TakesThinkingThatComesAgainForASnapshot) {
  const auto thinks = [](const char* said) {
    return delta(std::string(R"({"reasoning_content":")") + said + "\"}");
  };
  const auto block = [](const char* said, const char* signature) {
    return delta(std::string(R"({"thinking_blocks":[{"type":"thinking","thinking":")") + said +
                 R"(","signature":")" + signature + "\"}]}");
  };
  EXPECT_EQ(read(thinks("a") + thinks("b") + block("ab", "s")), "thinking[ab|s]");
  EXPECT_EQ(read(block("a", "") + block("b", "") + block("ab", "s")), "thinking[ab|s]");
  EXPECT_EQ(read(thinks("a") + thinks("b") + block("ab", "")), "thinking[ab]") << "under another key";
  EXPECT_EQ(read(thinks("a") + thinks("a")), "thinking[aa]") << "pieces may be equal";
  EXPECT_EQ(read(thinks("a") + block("ab", "s")), "thinking[aab|s]") << "it says more";
  EXPECT_EQ(
      read(thinks("a") + thinks("b") +
           delta(R"({"reasoning_content":"ab","thinking_blocks":[{"thinking":"ab","signature":"s"}]})")),
      "thinking[ab|s]")
      << "under two keys";
  const auto blocks =
      delta(R"({"thinking_blocks":[{"thinking":"a","signature":"s"},{"thinking":"b","signature":"u"}]})");
  EXPECT_EQ(read(thinks("a") + text("t") + thinks("b") + blocks), "thinking[a] text[t] thinking[b|u]");
  EXPECT_EQ(read(thinks("a") + thinks("b") + blocks), "thinking[ab|u]") << "one thought in two elements";
  EXPECT_EQ(read(thinks("a") + text("t") + thinks("b") + block("ab", "s")),
            "thinking[a] text[t] thinking[b|s]")
      << "two thoughts in one element";
  EXPECT_EQ(read(thinks("a") + text("t") + thinks("b") + block("b", "s")),
            "thinking[a] text[t] thinking[b|s]")
      << "of the last thinking alone";
  const auto signed_ones = block("a", "s") + block("b", "t");
  EXPECT_EQ(read(signed_ones + blocks), "thinking[a|s] thinking[b|t] thinking[a|s] thinking[b|u]")
      << "another signature is of another thought";
  EXPECT_EQ(read(block("a", "s") + block("a", "t")), "thinking[a|s] thinking[a|t]");
  EXPECT_EQ(read(signed_ones + block("b", "t") + block("ab", "t")), "thinking[a|s] thinking[b|t]");
}

TEST(ChatReading, ReadsFromAMessageWhatNoDeltaHad) {
  const auto message = [](const std::string& delta, const std::string& message) {
    return frame(R"({"choices":[{"delta":)" + delta + R"(,"message":)" + message + "}]}");
  };
  const std::string call = R"({"id":"i","function":{"name":"f","arguments":"{}"}})";
  EXPECT_EQ(read(message("{}", R"({"content":"ab"})")), "text[ab]");
  EXPECT_EQ(read(text("a") + message(R"({"content":"b"})", R"({"content":"ab"})")), "text[ab]");
  EXPECT_EQ(read(text("a") + message("{}", R"({"content":"abc"})")), "text[a]") << "clients read deltas";
  const std::string calls = R"({"content":"a","tool_calls":[)" + call + "]}";
  EXPECT_EQ(read(text("a") + message("{}", calls)), "text[a] call[i|f|{}]");
  EXPECT_EQ(read(text("a") + message(R"({"tool_calls":[)" + call + "]}", calls)), "text[a] call[i|f|{}]");
}

TEST(ChatReading, TakesBytesThatAreNotUtf8ForAnError) {
  EXPECT_EQ(read(text("a") + text("\xFF") + text("b")),
            "text[a] !event 1 cannot be read: not UTF-8 at byte 0");
  EXPECT_EQ(read("{\"error\":{\"message\":\"\xFF\"}}"), "");
}

TEST(ChatReading, TakesTheFirstFinishUnlessALaterOneCutsShort) {
  EXPECT_EQ(read(finish("") + finish("null") + finish("STOP") + finish("tool_calls")), "=stop");
  EXPECT_EQ(read(finish("stop") + finish("length") + finish("stop") + finish("content_filter")), "=length");
  EXPECT_EQ(read(finish("eos")), "=eos");
  EXPECT_EQ(read(frame(R"({"choices":[{"finish_reason":7}]})")), "");
  for (const char* word : {"max_tokens", "model_length", "content_filter", "sensitive"}) {
    EXPECT_EQ(read(finish("stop") + finish(word)), "=" + std::string(word));
  }
}

TEST(ChatReading, TakesABreakdownForAnError) {
  for (const char* word : {"error", "network_error", "insufficient_system_resource", "abort"}) {
    EXPECT_EQ(read(text("a") + finish(word) + text("b")),
              "text[a] =" + std::string(word) + " !the answer ended with finish_reason " + std::string(word));
  }
}

TEST(ChatReading, ReadsOnBehindTheFinishButNotBehindDone) {
  EXPECT_EQ(read(text("a") + finish("stop") + text("b") + kDone + text("c") + finish("length") +
                 frame(R"({"choices":[],"usage":{"prompt_tokens":3}})") + frame("garbage")),
            "text[ab] =stop done");
}

TEST(ChatReading, TakesSpacesAroundDone) {
  EXPECT_EQ(read("data: [DONE] \n\n"), "done");
  EXPECT_EQ(read("data:   [DONE]"), "done");
}

TEST(ChatReading, EndsInAnErrorWhereAnEventCannotBeRead) {
  EXPECT_EQ(read(text("a") + frame("{") + text("b")),
            "text[a] !event 1 cannot be read: no name before a member's value at byte 1");
  EXPECT_EQ(read(frame("[1]")), "!event 0 cannot be read: not a JSON object");
  EXPECT_EQ(read(frame("") + frame("  ") + text("a")), "text[a]") << "what is blank says nothing";
  EXPECT_EQ(read("event: message\n" + frame("x")), "!event 0 cannot be read: no JSON value at byte 0");
  EXPECT_EQ(read("event: ping\n" + frame("x") + text("a")), "text[a]");
  EXPECT_EQ(read("event: ping\n" + text("b") + text("a")), "text[ba]");
  EXPECT_EQ(read(frame("{\"x\":\"" + std::string(kMaxChatEvent, 'x') + "\"}")),
            "!event 0 cannot be read: too large at byte 16777216");
  EXPECT_EQ(read(frame("{\"x\":\"" + std::string(kMaxChatEvent - 8, 'x') + "\"}") + text("a")), "text[a]");
}

TEST(ChatReading, ReadsAnUnterminatedTailOnlyIfItIsWhole) {
  const std::string whole = text("b");
  EXPECT_EQ(read(text("a") + whole.substr(0, whole.size() - 2)), "text[ab]");
  EXPECT_EQ(read(text("a") + whole.substr(0, whole.size() - 3)), "text[a]");
  EXPECT_EQ(read(text("a") + "event: error\ndata: x"), "text[a]");
  EXPECT_EQ(read(text("a") + "data: [DONE]"), "text[a] done");
  EXPECT_EQ(read(text("a") + "data: [DONE"), "text[a]");
  EXPECT_EQ(read(text("a") + "data: 7"), "text[a]");
}

TEST(ChatReading, KnowsErrors) {
  const auto in_chunk = [](const std::string& members) {
    return read(text("a") + frame("{" + members + "}"));
  };
  EXPECT_EQ(in_chunk(R"("error":"x")"), "text[a] !x");
  EXPECT_EQ(in_chunk(R"("error":{"message":"m","detail":"d"})"), "text[a] !m");
  EXPECT_EQ(in_chunk(R"("error":{"message":"","detail":"d"})"), "text[a] !d");
  EXPECT_EQ(in_chunk(R"("error":{"code":5})"), "text[a] !the provider reported an error");
  EXPECT_EQ(in_chunk(R"("error":[{"message":"m"}])"), "text[a] !m");
  EXPECT_EQ(in_chunk(R"("object":"error","message":"m")"), "text[a] !m");
  EXPECT_EQ(in_chunk(R"("type":"error","detail":"d")"), "text[a] !d");
  EXPECT_EQ(in_chunk(R"("code":5,"message":"m")"), "text[a] !m");
  EXPECT_EQ(in_chunk(R"("code":"x","message":"m")"), "text[a] !m");
  for (const char* empty : {"{}", "[]", "\"\""}) {
    EXPECT_EQ(in_chunk(R"("error":)" + std::string(empty)), "text[a] !the provider reported an error");
    EXPECT_EQ(in_chunk(R"("choices":[],"error":)" + std::string(empty)), "text[a]");
  }
  for (const char* innocent :
       {R"("error":null)", R"("error":false)", R"("error":7)", R"("code":null,"message":"m")",
        R"("message":"m")", R"("code":5)", R"("code":"","message":"m")", R"("choices":[],"object":"error")",
        R"("choices":[],"code":5,"message":"m")", R"("type":"x")"}) {
    EXPECT_EQ(in_chunk(innocent), "text[a]") << innocent;
  }
  EXPECT_EQ(
      in_chunk(R"("choices":[{"error":{"message":"m"},"delta":{"content":"b"},"finish_reason":"stop"}])"),
      "text[ab] !m");
  EXPECT_EQ(in_chunk(R"("choices":[{"index":1,"error":{"message":"m"}}])"), "text[a]");
  EXPECT_EQ(read("event: error\n" + text("a") + text("b")), "text[a] !the provider reported an error");
  EXPECT_EQ(read("event: error\n" + frame("no JSON") + kDone), "done !no JSON");
  EXPECT_EQ(read("event: error\n" + frame(R"({"message":"m"})")), "!m");
  EXPECT_EQ(read("event: error\n" + kDone), "![DONE]");
  EXPECT_EQ(read("event: error\n" + frame("")), "!the provider reported an error");
  EXPECT_EQ(read("event: error\n" + frame("\"m\"")), "!m");
}

TEST(ChatReading, ReadsNothingBehindAnErrorButSeesDone) {
  EXPECT_EQ(read(frame(R"({"error":"x"})") + text("a") + finish("stop") + kDone), "done !x");
}

TEST(ChatReading, TakesAPlainBodyForAnErrorUnlessItIsAnAnswer) {
  EXPECT_EQ(read("{\"error\":{\"message\":\"m\"}}"), "!m");
  EXPECT_EQ(read("\xEF\xBB\xBF\n{\n\n\"detail\":\"d\"}\n\n"), "!d");
  EXPECT_EQ(read("{}"), "!the provider reported an error");
  EXPECT_EQ(read("{\"choices\":[{\"message\":{\"content\":\"a\"}}],\"error\":\"x\"}"), "");
  EXPECT_EQ(read("[{\"error\":\"x\"}]"), "");
  EXPECT_EQ(read("{\"error\":\"x\""), "");
}

TEST(ChatReading, NotesThatAllThatCameIsInOtherChoices) {
  const std::string other =
      frame(R"({"choices":[{"index":1,"delta":{"content":"a"},"finish_reason":"stop"}]})");
  const std::string begun = frame(R"({"choices":[{"index":1,"delta":{"content":"a"}}]})");
  const auto noted = [](const std::string& body) {
    return read_chat(body).shapes.contains(std::string(name(ChatShape::no_first_choice)));
  };
  EXPECT_EQ(read(other), "");
  EXPECT_EQ(read(other + kDone), "done");
  EXPECT_TRUE(noted(other));
  EXPECT_TRUE(noted(begun + kDone));
  EXPECT_FALSE(noted(begun)) << "it was cut off";
  EXPECT_FALSE(noted(other + frame(R"({"choices":[{}]})") + kDone));
  EXPECT_FALSE(noted(frame(R"({"choices":[]})") + kDone));
  EXPECT_FALSE(noted(other + frame(R"({"error":"x"})") + kDone)) << "it failed";
}

TEST(ChatReading, TakesNothingForACountThatFitsNoInteger) {
  EXPECT_EQ(usage_of(frame(R"({"usage":{"prompt_tokens":1e999,"completion_tokens":99999999999999999999}})")),
            "-/-/-");
}

TEST(ChatReading, CountsTokens) {
  EXPECT_EQ(usage_of(text("a")), "-/-/-");
  EXPECT_EQ(usage_of(frame(R"({"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":0,)"
                           R"("prompt_tokens_details":{"cached_tokens":2}}})")),
            "7/2/0");
  EXPECT_EQ(
      usage_of(frame(R"({"usage":{"prompt_tokens":7,"completion_tokens":3}})") +
               frame(R"({"usage":{"prompt_tokens":0,"completion_tokens":9}})") + frame(R"({"usage":null})")),
      "7/-/9");
  EXPECT_EQ(
      usage_of(frame(R"({"usage":{"prompt_tokens":-1,"completion_tokens":1.5,"prompt_tokens_details":7}})")),
      "-/-/-");
  EXPECT_EQ(usage_of(frame(
                R"({"x_groq":{"usage":{"prompt_tokens":7}},"choices":[{"usage":{"completion_tokens":3}}]})")),
            "7/-/3");
  EXPECT_EQ(usage_of(frame(R"({"any":{"usage":{"prompt_tokens":7}}})")), "-/-/-");
  EXPECT_EQ(usage_of(frame(R"({"x_any":{"usage":{"prompt_tokens":7}}})")), "-/-/-");
  EXPECT_EQ(usage_of(frame(R"({"choices":[{"index":1,"usage":{"completion_tokens":3}}]})")), "-/-/-");
}

TEST(ChatReading, TakesTheModelOfTheFirstChunkWithAChoiceThatNamesOne) {
  EXPECT_EQ(read_chat(frame(R"({"choices":[],"model":"x"})") + text("a") +
                      frame(R"({"choices":[{}],"model":"m"})") + frame(R"({"choices":[{}],"model":"n"})"))
                .model,
            "m");
}

TEST(ChatReading, LimitsCallsAndTheirBytes) {
  std::string many;
  for (std::size_t i = 0; i < kMaxChatCalls; ++i) {
    const std::string number = std::to_string(i);
    many += call(R"({"index":)" + number + R"(,"id":"i)" + number + R"(","function":{"name":"f"}})");
  }
  EXPECT_FALSE(read_chat(many).error);
  EXPECT_EQ(read_chat(many + call(R"({"index":5000})")).error, "more calls than can be read");

  const std::string mebibyte = call(R"({"index":0,"id":"a","function":{"name":"f","arguments":")" +
                                    std::string(1 << 20, ' ') + R"("}})");
  std::string large;
  for (int i = 0; i < 31; ++i) large += mebibyte;
  EXPECT_FALSE(read_chat(large).error);
  EXPECT_EQ(read_chat(large + mebibyte).error, "more bytes of calls than can be read");
}

struct ShapeExample {
  ChatShape shape;
  std::string with;
  std::string without;  ///< similar, without the shape
};

std::string piece(const std::string& members) { return call("{\"index\":0," + members + "}"); }

/// A chunk with this id, a role and text.
std::string with_id(const std::string& id) {
  return frame(R"({"id":")" + id +
               R"(","choices":[{"index":0,"delta":{"role":"assistant","content":"a"}}]})");
}
/// Streams with each shape, and similar streams without it.
std::vector<ShapeExample> shape_examples() {
  using S = ChatShape;
  const std::string thought = delta(R"({"reasoning":"k"})");
  const std::string older = delta(R"({"function_call":{"name":"f","arguments":"{"}})");
  const std::string signs = R"("reasoning_details":[{"signature":"s"}])";
  const std::string other = call(R"({"index":1,"id":"b","function":{"name":"g","arguments":"{}"}})");
  const std::string usage = frame(R"({"choices":[],"usage":{"prompt_tokens":1}})");
  const std::string usage_in = frame(R"({"choices":[{"delta":{}}],"usage":{"prompt_tokens":1}})");
  const std::string bad = piece(R"("id":"a","function":{"name":"f","arguments":"{"})");
  const auto fn = [](const std::string& members) { return piece("\"function\":{" + members + "}"); };
  return {
      {S::text, text("a"), text("")},
      {S::thinking, thought, text("a")},
      {S::refusal, delta(R"({"refusal":"r"})"), delta(R"({"refusal":""})")},
      {S::signature, delta(R"({"reasoning":"k",)" + signs + "}"),
       delta(R"({"reasoning":"k"})") + text("a") + delta("{" + signs + "}")},
      {S::thinking_again,
       delta(R"({"reasoning":"k"})") + delta(R"({"thinking_blocks":[{"thinking":"k","signature":"s"}]})"),
       delta(R"({"reasoning":"k"})") + delta(R"({"thinking_blocks":[{"thinking":"kk","signature":"s"}]})")},
      {S::signed_in_parts,
       delta(R"({"reasoning":"kl"})") +
           delta(
               R"({"thinking_blocks":[{"thinking":"k","signature":"s"},{"thinking":"l","signature":"t"}]})"),
       delta(R"({"reasoning":"kl"})") + delta(R"({"thinking_blocks":[{"thinking":"kl","signature":"s"}]})")},
      {S::thinking_unclear,
       delta(R"({"reasoning":"k"})") + delta(R"({"reasoning":"l"})") + delta(R"({"reasoning":"kl"})"),
       delta(R"({"reasoning":"k"})") + delta(R"({"reasoning":"k"})")},
      {S::text_unclear, text("a") + text("b") + text("ab"), text("a") + text("a")},
      {S::ambiguous, frame(R"({"choices":[{"message":{"content":"a"}}]})"),
       frame(R"({"choices":[{"delta":{"content":"a"},"message":{"content":"a"}}]})")},
      {S::reasoning_beside_completion,
       frame(R"({"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":5,)"
             R"("completion_tokens_details":{"reasoning_tokens":3}}})"),
       frame(R"({"usage":{"prompt_tokens":1,"completion_tokens":4,"total_tokens":5,)"
             R"("completion_tokens_details":{"reasoning_tokens":3}}})")},
      {S::tools, fn(R"("name":"f")"), call(R"({"index":0})")},
      {S::content_parts, delta(R"({"content":[]})"), text("a")},
      {S::empty_pieces, text(""), text("a")},
      {S::repeated_pieces, text("ha") + text("ha"), text("ha") + text("Ha") + text("ha")},
      {S::repeated_pieces, fn(R"("arguments":"h")") + fn(R"("arguments":"h")"), kCall() + other},
      {S::think_tag, text("<th") + text("ink>"), text("a<think>")},
      {S::think_tag_later, text("a<think>"), text("<think>")},
      {S::think_tag_later, kCall() + text("<think>"), text("<think>") + kCall()},
      {S::halves, text(R"(\ud83c)") + text(R"(\udf0a)"), text(R"(\ud83c\udf0a)")},
      {S::half_alone, text(R"(\ud83c)"), text(R"(\ud83c)") + text(R"(\udf0a)")},
      {S::thinking_with_text, delta(R"({"reasoning":"k","content":"t"})"), thought + text("t")},
      {S::thinking_after_text, text("t") + thought, thought + text("t")},
      {S::thinking_before_tool, thought + kCall(), thought + text("t") + kCall()},
      {S::thinking_after_tool, kCall() + thought, thought + kCall()},
      {S::text_after_tool, kCall() + text("t"), text("t") + kCall()},
      {S::reasoning_two_keys, delta(R"({"reasoning":"k","reasoning_content":"k"})"),
       delta(R"({"reasoning":"k","reasoning_content":""})")},
      {S::parallel_tools, kCall() + other, kCall() + call(R"({"index":1})")},
      {S::several_calls_one_chunk, call(R"({"index":0},{"index":1})"), call(R"({"index":0},{"index":0})")},
      {S::interleaved_tools, kCall() + other + fn(R"("arguments":" ")"), kCall() + kCall() + other},
      {S::no_index, call(R"({"id":"a"})"), call(R"({"index":0})")},
      {S::no_index, call(R"({"index":-1})"), call(R"({"index":0})")},
      {S::same_index_new_id, kCall("a") + kCall("b"), kCall("a") + kCall("a")},
      {S::late_id, fn(R"("name":"f")") + kCall(), kCall() + fn(R"("name":"f")")},
      {S::id_after_finish, fn(R"("name":"f")") + finish("stop") + kCall(),
       fn(R"("name":"f")") + kCall() + finish("stop") + fn(R"("arguments":" ")")},
      {S::late_name, piece(R"("id":"a")") + kCall(), kCall() + fn(R"("name":"f")")},
      {S::id_alone, piece(R"("id":"a")"), piece(R"("id":"a","function":{})")},
      {S::id_never, fn(R"("name":"f")"), fn(R"("name":"f")") + piece(R"("id":"a")")},
      {S::id_never, fn(R"("name":"f")"), delta(R"({"function_call":{"name":"f"}})")},
      {S::id_number, piece(R"("id":7)"), piece(R"("id":"7")")},
      {S::id_repeated, kCall() + kCall(), kCall() + fn("")},
      {S::foreign_id, kCall("a:1"), kCall("a-_Z9")},
      {S::shared_id, kCall("b") + other, kCall("a") + other},
      {S::name_never, piece(R"("id":"a")"), piece(R"("id":"a")") + fn(R"("name":"f")")},
      {S::name_number, fn(R"("name":7)"), fn(R"("name":null)")},
      {S::name_repeated, kCall() + fn(R"("name":"f")"), kCall() + fn(R"("name":"")")},
      {S::name_repeated, kCall() + fn(R"("name":"f")"), older + older},
      {S::prose_meanwhile, fn(R"("name":"f")") + text("t"), kCall() + text("t")},
      {S::prose_meanwhile, fn(R"("name":"f")") + text("t") + kCall(),
       call(R"({"index":0})") + text("t") + kCall()},
      {S::renamed, bad + fn(R"("name":"g")"), bad + fn(R"("name":"f")")},
      {S::arguments_first, fn(R"("arguments":"{")"), kCall()},
      {S::arguments_first, fn(R"("arguments":"{")"), older},
      {S::arguments_never, fn(R"("name":"f","arguments":" ")"), kCall()},
      {S::arguments_null, fn(R"("arguments":" null")"), fn(R"("arguments":null)")},
      {S::arguments_object, fn(R"("arguments":{})"), fn(R"("arguments":"{}")")},
      {S::arguments_unreadable, bad + finish("stop"), kCall() + finish("stop")},
      {S::arguments_unreadable, fn(R"("arguments":"[1]")") + kDone, bad},
      {S::arguments_unreadable, fn(R"("arguments":"{}{}")") + kDone,
       fn(R"("arguments":"{\"\\ud83d\":1e999}")") + kDone},
      {S::arguments_cut, bad + finish("length"), bad + finish("stop")},
      {S::arguments_cut, bad + frame(R"({"error":"x"})"), kCall() + frame(R"({"error":"x"})")},
      {S::arguments_cut, bad + frame(R"({"error":"x"})") + kDone, bad + kDone},
      {S::legacy_function_call, delta(R"({"function_call":{}})"), delta(R"({"function_call":null})")},
      {S::finish_stop, finish("Stop"), finish("made_up")},
      {S::finish_tool_calls, finish("function_call"), finish("stop")},
      {S::finish_length, finish("max_tokens"), finish("stop")},
      {S::content_filter, finish("stop") + finish("content_filter"), finish("length")},
      {S::finish_other, finish("made_up"), finish("stop")},
      {S::finish_stop_with_tools, kCall() + finish("stop"), kCall() + finish("tool_calls")},
      {S::finish_tool_calls_without_tools, call(R"({"index":0})") + finish("tool_calls"),
       kCall() + finish("tool_calls")},
      {S::finish_empty, finish(""), finish("stop")},
      {S::finish_repeated, finish("stop") + finish("stop"), finish("stop") + finish("")},
      {S::finish_with_content, frame(R"({"choices":[{"delta":{"content":"t"},"finish_reason":"stop"}]})"),
       text("t") + finish("stop")},
      {S::after_finish, finish("stop") + text("t"), finish("stop") + text("")},
      {S::done_without_finish, kDone, finish("stop") + kDone},
      {S::done_alone, delta(R"({"role":"assistant"})") + kDone, text("t") + kDone},
      {S::unknown_part, delta(R"({"content":[{"type":"tide"}]})"), delta(R"({"content":[{"type":"text"}]})")},
      {S::arguments_placeholder, fn(R"("arguments":"{}")") + fn(R"("arguments":"{\"a\":1}")"),
       fn(R"("arguments":"{}")")},
      {S::spliced, with_id("a") + with_id("a") + with_id("b"), with_id("a") + with_id("b") + with_id("c")},
      {S::no_done, finish("stop"), finish("stop") + kDone},
      {S::nothing, text("t"), finish("stop")},
      {S::nothing, "", frame(R"({"error":"x"})")},
      {S::error, frame("x"), text("x")},
      {S::after_done, kDone + text("t"), text("t") + kDone},
      {S::usage_before_finish, usage + finish("stop"), finish("stop") + usage},
      {S::usage_with_finish, frame(R"({"choices":[{"finish_reason":"stop"}],"usage":{"prompt_tokens":1}})"),
       finish("stop") + usage},
      {S::usage_trailing, finish("stop") + usage, usage + finish("stop")},
      {S::usage_every_chunk, usage_in + usage_in, usage_in + text("t") + usage_in},
      {S::usage_null, frame(R"({"usage":null})"), usage},
      {S::usage_zero_later, usage + frame(R"({"usage":{"prompt_tokens":0}})"),
       frame(R"({"usage":{"prompt_tokens":0}})") + usage},
      {S::no_usage, frame(R"({"usage":{}})"), usage},
      {S::cached_tokens, frame(R"({"usage":{"prompt_tokens_details":{"cached_tokens":1}}})"),
       frame(R"({"usage":{"prompt_tokens_details":{"cached_tokens":0}}})")},
      {S::vendor_usage, frame(R"({"x_groq":{"usage":{"prompt_tokens":1}}})"), usage},
      {S::no_role, text("t"), delta(R"({"role":"assistant"})")},
      {S::null_fields, delta(R"({"role":null})"), delta(R"({"role":"assistant"})")},
      {S::null_fields, fn(R"("name":null)"), kCall()},
      {S::empty_choices, frame(R"({"choices":[]})"), frame("{}")},
      {S::no_choices, frame("{}"), frame(R"({"choices":[]})")},
      {S::several_choices, frame(R"({"choices":[{},{}]})"), frame(R"({"choices":[{},{"index":0}]})")},
      {S::no_first_choice, frame(R"({"choices":[{"index":1,"finish_reason":"stop"}]})"),
       frame(R"({"choices":[{"index":1}]})")},
      {S::message_beside_delta, frame(R"({"choices":[{"message":{}}]})"), text("t")},
      {S::unknown_keys, fn(R"("name":"f","x":1)"), kCall()},
      {S::unknown_keys, delta(R"({"x":1})"), delta(R"({"role":"assistant"})")},
      {S::late_model, text("t") + frame(R"({"choices":[{}],"model":"m"})"),
       frame(R"({"choices":[{}],"model":"m"})") + text("t")},
      {S::named_event, "event: x\n" + text("t"), "event: message\n" + text("t")},
      {S::no_final_blank_line, "data: [DONE]\n", text("t") + "data: [DONE"},
  };
}

TEST(ChatReading, NotesEachShapeWhereItIsAndOnlyThere) {
  std::set<ChatShape> covered;
  for (const ShapeExample& example : shape_examples()) {
    const std::string shape(name(example.shape));
    covered.insert(example.shape);
    EXPECT_EQ(read_chat(example.with).shapes.count(shape), 1u) << shape << "\n" << example.with;
    EXPECT_EQ(read_chat(example.without).shapes.count(shape), 0u) << shape << "\n" << example.without;
  }
  EXPECT_EQ(covered.size(), kChatShapeCount);
}

TEST(ChatReading, NotesNothingOfAnOrdinaryStreamButWhatItIs) {
  const std::string body =
      frame(R"({"model":"m","choices":[{"index":0,"delta":{"role":"assistant"},"finish_reason":null}]})") +
      text("Hello ") + text("there.") + finish("stop") +
      frame(R"({"model":"m","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}})") + kDone;
  EXPECT_EQ(read_chat(body).shapes,
            (std::set<std::string>{"text", "finish_stop", "usage_trailing", "empty_choices"}));
}

TEST(ChatReading, ReadsAVeryAlternatingStreamInOneGo) {
  std::string body;
  for (int i = 0; i < 20000; ++i) body += text("t") + delta(R"({"reasoning":"k"})");
  EXPECT_EQ(read_chat(body).parts.size(), 40000u);
}

}  // namespace
}  // namespace splitproof::dialect::chat_reading_test
