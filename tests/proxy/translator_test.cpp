#include "proxy/translator.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/dialect/anthropic_messages/message.hpp"
#include "harness/observe/trace.hpp"
#include "harness/recording/corpus.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::translator_test {
namespace {

constexpr turn::BodyEnd kEnds[] = {turn::BodyEnd::complete, turn::BodyEnd::closed, turn::BodyEnd::reset,
                                   turn::BodyEnd::stall};

std::string translated(std::string_view body, const TranslatorOptions& options = {},
                       turn::BodyEnd end = turn::BodyEnd::complete) {
  Translator translator(options);
  std::string out;
  translator.feed(body, out);
  translator.finish(end, out);
  return out;
}

std::string event(const std::string& data) { return "data: " + data + "\n\n"; }

// Returns the recordings of protocols that the proxy reads.
const std::vector<recording::Recording>& recordings() {
  static const recording::Corpus corpus = [] {
    recording::Corpus loaded = recording::load_corpus({std::getenv("SPLITPROOF_CORPUS")});
    std::erase_if(loaded.recordings, [](const recording::Recording& recording) {
      return proxy::dialect::find_upstream(recording.protocol) == nullptr;
    });
    return loaded;
  }();
  EXPECT_TRUE(corpus.errors.empty());
  EXPECT_GE(corpus.recordings.size(), 30U);
  return corpus.recordings;
}

// Returns the options for a recording's own protocol.
TranslatorOptions options_for(const recording::Recording& recording,
                              const proxy::dialect::ClientRow& client = proxy::dialect::clients().front()) {
  TranslatorOptions options;
  options.client = &client;
  options.upstream = proxy::dialect::find_upstream(recording.protocol);
  return options;
}

TEST(Translator, WritesTheWholeStream) {
  TranslatorOptions options;
  options.reply.seed = 0xabc;
  const std::string upstream = R"(data: {"model":"m\"1","choices":[{"delta":{"reasoning":"hm"}}]}

data: {"choices":[{"delta":{"content":"","reasoning_details":[{"signature":"s+/="}]}}]}

data: {"choices":[{"delta":{"content":"a\n\"b\""}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c:1","function":{"name":"f","arguments":"{\"k\":1}"}}]}}]}

data: {"choices":[{"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":2}}}

data: [DONE]

)";
  const std::string downstream = R"(event: message_start
data: {"type":"message_start","message":{"id":"msg_0000000000000abc","type":"message","role":"assistant","model":"m\"1","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":0}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s+/="}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"a\n\"b\""}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: content_block_start
data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_x633a31","name":"f","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"k\":1}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":2}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"input_tokens":7,"cache_read_input_tokens":2,"output_tokens":4}}

event: message_stop
data: {"type":"message_stop"}

)";
  EXPECT_EQ(translated(upstream, options), downstream);
}

TEST(Translator, ALoneErrorIsAllThatIsSaid) {
  EXPECT_EQ(translated(event(R"({"error":{"message":"no","code":401}})")),
            "event: error\ndata: "
            "{\"type\":\"error\",\"error\":{\"type\":\"authentication_error\",\"message\":\"no\"}}\n\n");
}

TEST(Translator, AnErrorInPlaceOfAStreamIsPassedOn) {
  const std::string body = "\n {\n  \"error\": {\n    \"message\": \"no\",\n    \"code\": 401\n  }\n}\n";
  const std::string out = translated(event(R"({"error":{"message":"no","code":401}})"));
  for (std::size_t cut = 0; cut <= body.size(); ++cut) {
    Translator translator{TranslatorOptions{}};
    std::string said;
    translator.feed(std::string_view(body).substr(0, cut), said);
    translator.feed(std::string_view(body).substr(cut), said);
    EXPECT_EQ(said, "") << "it may be a stream yet";
    translator.finish(turn::BodyEnd::complete, said);
    EXPECT_EQ(said, out);
  }
  const std::string truncated = translated("");
  EXPECT_EQ(translated(R"({"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]})"), truncated)
      << "an answer that nobody asked for in one piece";
  EXPECT_EQ(translated(body + "data: {}\n\n"), truncated) << "a stream after all";
  EXPECT_EQ(translated("[" + body + "]"), truncated) << "not one object";
  TranslatorOptions small;
  small.rules.limits.event_bytes = body.size() - 3;
  EXPECT_EQ(translated(body, small), truncated);
}

TEST(Translator, NothingIsKeptOfWhatCameBeforeAStream) {
  Translator one{TranslatorOptions{}};
  Translator other{TranslatorOptions{}};
  std::string out;
  one.feed("{\"a\": 1}\n" + event("{}"), out);
  other.feed("{\"b\": 2}\n" + event("{}"), out);
  EXPECT_EQ(one, other);
}

TEST(Translator, WhatWaitsComesOutHoweverTheBodyEnds) {
  const auto text = [](const std::string& content) {
    return event(R"({"choices":[{"delta":{"content":")" + content + R"("},"finish_reason":"stop"}]})");
  };
  for (const turn::BodyEnd end : kEnds) {
    for (const auto& [content, said] : std::vector<std::pair<std::string, std::string>>{
             {"<thi", R"("text_delta","text":"<thi")"},
             {"<think></th", R"("thinking_delta","thinking":"</th")"},
             {R"(a\ud83d)", "\"text_delta\",\"text\":\"\xEF\xBF\xBD\""}}) {
      EXPECT_NE(translated(text(content), {}, end).find(said), std::string::npos) << content;
      EXPECT_NE(translated(text(content) + event("[DONE]"), {}, end).find(said), std::string::npos)
          << content;
      EXPECT_NE(translated(text(content) + event("broken"), {}, end).find(said), std::string::npos)
          << content;
    }
  }
}

// The same text, thinking and arguments in other pieces are the same message.
TEST(Translator, HowTextWasDealtOutDoesNotShow) {
  const auto quoted = [](const std::u16string& units) {
    std::string json = "\"";
    for (const char16_t unit : units) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(unit));
      json += escape;
    }
    return json + "\"";
  };
  const auto message = [](const std::string& body) {
    return dialect::assemble_anthropic_message(
        observe::read_trace(translated(body), observe::DataKind::json));
  };
  const std::string done =
      event(R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})") + event("[DONE]");
  const auto chunk = [&](const std::string& before, const std::u16string& piece, const std::string& after) {
    return event(R"({"choices":[{"index":0,"delta":{)" + before + quoted(piece) + after + "}}]}");
  };
  struct Place {
    std::string before;
    std::string after;
  };
  const std::vector<Place> places = {
      {R"("content":)", ""},
      {R"("reasoning_content":)", ""},
      {R"("refusal":)", ""},
      {R"("tool_calls":[{"index":0,"id":"i","function":{"name":"f","arguments":)", "}}]"}};
  const std::vector<std::u16string> texts = {
      u"<think>\xD83D\xDE00 plan</think>\n\xD83D\xDE00<think>no</think>",
      u"{\"a\":\"\xD83D\xDE00\\n<think>\"}", u"{\"\xD83D\xD83D\xDE00\":\"\xDE00\"}", u"\xD83D",
      u"<think>\xD83D</think>\xDE00"};
  for (const Place& place : places) {
    for (const std::u16string& text : texts) {
      const auto whole = message(chunk(place.before, text, place.after) + done);
      EXPECT_FALSE(whole.blocks.empty());
      std::string units;
      for (const char16_t unit : text) units += chunk(place.before, std::u16string(1, unit), place.after);
      EXPECT_EQ(message(units + done), whole);
      for (std::size_t a = 0; a <= text.size(); ++a) {
        for (std::size_t b = a; b <= text.size(); b += kSanitized ? 3 : 1) {
          const std::string body = chunk(place.before, text.substr(0, a), place.after) +
                                   chunk(place.before, text.substr(a, b - a), place.after) +
                                   chunk(place.before, text.substr(b), place.after) + done;
          ASSERT_EQ(message(body), whole) << a << " " << b;
        }
      }
    }
  }
}

TEST(Translator, MissingAndRepeatedIdsGetOthersThatDependOnTheSeed) {
  const std::string body = event(
      R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}},)"
      R"({"index":1,"id":"a","function":{"name":"g","arguments":"{}"}},{"index":2,"function":{"name":"h","arguments":"{}"}}]},"finish_reason":"stop"}]})");
  TranslatorOptions options;
  options.reply.seed = 255;
  const std::string out = translated(body, options);
  EXPECT_NE(out.find(R"("id":"a","name":"f")"), std::string::npos);
  EXPECT_NE(out.find(R"("id":"toolu_00000000000000ff_1","name":"g")"), std::string::npos);
  EXPECT_NE(out.find(R"("id":"toolu_00000000000000ff_2","name":"h")"), std::string::npos);
}

TEST(Translator, CachedTokensAreCountedOnce) {
  const auto usage = [](const std::string& said) {
    const std::string out =
        translated(event(R"({"choices":[{"finish_reason":"stop"}],"usage":)" + said + "}"));
    const std::size_t at = out.find("\"usage\":", out.find("message_delta"));
    return out.substr(at + 8, out.find('}', at) - at - 7);
  };
  EXPECT_EQ(usage("null"), R"({"output_tokens":0})");
  EXPECT_EQ(usage(R"({"prompt_tokens":0,"completion_tokens":0})"), R"({"input_tokens":0,"output_tokens":0})");
  EXPECT_EQ(usage(R"({"prompt_tokens":3,"prompt_tokens_details":{"cached_tokens":5}})"),
            R"({"input_tokens":0,"cache_read_input_tokens":3,"output_tokens":0})");
}

// Checks a body at `places`, its ends included. From the state at one place, the bytes up to a later place are fed as
// one chunk. Expects the state and the output of single bytes. If this is true for any two places, no split at these
// places matters, because a chunk's states are those. Copies of a translator continue like the original.
std::size_t hold_to_places(std::string_view body, const std::vector<std::size_t>& places,
                           const TranslatorOptions& options = {}) {
  struct Reached {
    Translator state;
    std::size_t said;
  };
  std::vector<Reached> reached;
  std::string out;
  Translator stepwise(options);
  std::size_t fed = 0;
  for (const std::size_t place : places) {
    for (; fed < place; ++fed) stepwise.feed(body.substr(fed, 1), out);
    reached.push_back({stepwise, out.size()});
  }
  std::size_t chunks = 0;
  std::string said;
  for (std::size_t from = 0; from < places.size(); ++from) {
    for (std::size_t to = from + 1; to < places.size(); ++to) {
      // In an allocation of its own size, so that a sanitizer detects a read beyond it.
      const std::vector<char> chunk(body.begin() + static_cast<std::ptrdiff_t>(places[from]),
                                    body.begin() + static_cast<std::ptrdiff_t>(places[to]));
      Translator translator = reached[from].state;
      said.clear();
      translator.feed({chunk.data(), chunk.size()}, said);
      const std::string_view was_said =
          std::string_view(out).substr(reached[from].said, reached[to].said - reached[from].said);
      EXPECT_TRUE(said == was_said) << "bytes " << places[from] << " to " << places[to] << " say " << said;
      EXPECT_TRUE(translator == reached[to].state) << "bytes " << places[from] << " to " << places[to];
      if (testing::Test::HasFailure()) return chunks;
      ++chunks;
    }
  }
  return chunks;
}

std::vector<std::size_t> all_places(std::string_view body) {
  std::vector<std::size_t> places(body.size() + 1);
  std::iota(places.begin(), places.end(), 0);
  return places;
}

// Short bodies with everything that a cut can damage. All places of a body are tested, so every split of it.
std::vector<std::string> short_bodies() {
  const auto delta = [](const std::string& said) { return R"({"choices":[{"delta":{)" + said + "}}]}"; };
  const auto call = [&](const std::string& said) { return delta(R"("tool_calls":[{)" + said + "}]"); };
  return {
      "\xEF\xBB\xBF: x\r\ndata: " + delta("\"content\":\"\xF0\x9F\x8C\x8A\\u00e9\\n\"") +
          "\r\n\r\ndata:[DONE]\r\r\ndata: 1\n\n",
      event(delta(R"("content":"<think>\ud83d")")) + event(delta(R"("content":"\ude00</th")")) +
          event(delta(R"("content":"ink>a")")) + event("[DONE]"),
      event(delta(R"("reasoning":"a")")) + event(delta(R"("reasoning_details":[{"signature":"s"}])")) +
          event(delta(R"("content":"\udc00")")),
      event(delta(
          R"("thinking_blocks":[{"thinking":"a","signature":"s"},{"signature":"t"},{"type":"redacted_thinking","data":"x"}])")) +
          event(delta(R"("reasoning_details":[{"index":0,"text":"b"}])")) +
          event(delta(R"("reasoning_details":[{"index":1,"text":"c"}])")),
      event(call(R"("index":0,"id":"i","function":{"name":"f","arguments":"{}"})")) +
          event(call(R"("index":0,"function":{"arguments":"{}"})")) + event("[DONE]"),
      event(call(R"("index":0,"id":"i","function":{"name":"f","arguments":"{\"k\":"})")) +
          event(call(R"("index":1,"function":{"arguments":"{}"})")) +
          event(call(R"("index":0,"function":{"arguments":"1}"})")) +
          event(R"({"choices":[{"finish_reason":"length"}]})"),
      "event: a\ndata: {\"choices\":\ndata: [{\"delta\":{\"content\":\"<thi\"}}]}\nid: 1\n\n" +
          event("{broken") + event("{}"),
      " {\"error\": {\"message\": \"no\", \"code\": 401}}\n",
      "{\"a\": 1}\n" + event(R"({"error":{"message":"no"}})") + "data: x"};
}

TEST(Translator, NoSplitOfAShortBodyShows) {
  constexpr std::size_t kShort = kSanitized ? 60 : 450;  // the bytes fed grow with its third power
  std::size_t bodies = 0;
  std::size_t chunks = 0;
  const auto hold = [&](const std::string& name, const std::string& body, const TranslatorOptions& options) {
    SCOPED_TRACE(name);
    chunks += hold_to_places(body, all_places(body), options);
    ++bodies;
  };
  for (const std::string& body : short_bodies()) {
    ASSERT_LE(body.size(), 450U);
    for (const proxy::dialect::ClientRow& client : proxy::dialect::clients()) {
      TranslatorOptions options;
      options.client = &client;
      options.reply.aliases = {{"f", true, "", "f"}};
      hold(std::string(client.protocol) + " " + body, kSanitized ? body.substr(0, kShort) : body, options);
    }
  }
  for (const recording::Recording& recording : recordings())
    if (recording.body.size() <= kShort) hold(recording.id, recording.body, options_for(recording));
  std::cout << "all chunks of " << bodies << " bodies: " << chunks << "\n";
}

// For a longer body, some places: neighbours, where a cut divides a character, an escape or a line end, and random
// ones, for one client, which changes with each body. Its other splits are not tested.
TEST(Translator, NoSplitAtSomePlacesOfALongerBodyShows) {
  constexpr std::uint64_t kSeed = 20260318;
  constexpr std::size_t kNeighbours = kSanitized ? 3 : 24;
  constexpr std::size_t kOthers = kSanitized ? 3 : 24;
  std::mt19937_64 random(kSeed);
  std::size_t chunks = 0;
  std::size_t number = 0;
  for (const recording::Recording& recording : sampled(recordings(), 3)) {
    SCOPED_TRACE(recording.id);
    const std::size_t size = recording.body.size();
    std::set<std::size_t> places = {0, size};
    const std::size_t first = random() % (size + 1);
    for (std::size_t place = first; place <= std::min(size, first + kNeighbours); ++place)
      places.insert(place);
    for (std::size_t other = 0; other < kOthers; ++other) places.insert(random() % (size + 1));
    const proxy::dialect::ClientRow& client =
        proxy::dialect::clients()[number++ % proxy::dialect::clients().size()];
    chunks += hold_to_places(recording.body, {places.begin(), places.end()}, options_for(recording, client));
  }
  std::cout << "seed " << kSeed << ": " << chunks << " chunks of " << recordings().size() << " recordings\n";
}

// After any truncation, the client gets one terminal event, and all complete content. Tries every third byte, one
// further in the next body.
TEST(Translator, EveryBodyCutOffAnywhereEndsOnce) {
  constexpr std::size_t kStep = kSanitized ? 37 : 3;
  std::size_t number = 0;
  std::size_t bodies = 0;
  for (const recording::Recording& recording : sampled(recordings(), 3)) {
    SCOPED_TRACE(recording.id);
    if (options_for(recording).relays()) continue;
    for (std::size_t size = number++ % kStep; size <= recording.body.size(); size += kStep) {
      const turn::BodyEnd end = kEnds[size % 4];
      const std::string out =
          translated(std::string_view(recording.body).substr(0, size), options_for(recording), end);
      const std::size_t stop = out.rfind("event: message_stop\n");
      const std::size_t error = out.rfind("event: error\n");
      ASSERT_NE(stop == std::string::npos, error == std::string::npos) << "cut off after " << size;
      const std::size_t last = stop == std::string::npos ? error : stop;
      ASSERT_EQ(out.find("event: ", last + 1), std::string::npos) << "cut off after " << size;
      ++bodies;
    }
  }
  std::cout << bodies << " bodies\n";
}

// For clients whose end repeats the content, all of it is kept.
TEST(Translator, LittleIsHeldBetweenEventsHoweverLargeTheyAre) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer's allocator does not say how much is in use";
  const auto in_use = [] {
    const struct mallinfo2 counts = mallinfo2();
    return counts.uordblks + counts.hblkhd;
  };
  for (const proxy::dialect::ClientRow& client : proxy::dialect::clients()) {
    if (client.layout.repeats) continue;
    SCOPED_TRACE(client.protocol);
    TranslatorOptions options;
    options.client = &client;
    Translator translator(options);
    std::string out;
    out.reserve(std::size_t{16} << 20);
    const auto feed = [&](const std::string& text, std::size_t cut) {
      const std::string body =
          event(R"({"model":"m","choices":[{"index":0,"delta":{"content":")" + text + "\"}}]}");
      translator.feed(std::string_view(body).substr(0, cut), out);
      translator.feed(std::string_view(body).substr(cut), out);
    };
    for (const std::size_t size : {std::size_t{1} << 12, std::size_t{1} << 16, std::size_t{1} << 20}) {
      for (const std::size_t cut : {std::size_t{0}, std::size_t{20}, size / 2, size}) {
        const std::size_t before = in_use();
        feed(std::string(size, 'x'), cut);
        EXPECT_LE(in_use(), before + 2048) << "after an event of " << size << " bytes, cut at " << cut;
      }
    }
    EXPECT_GT(out.size(), std::size_t{4} << 20);
  }
}

TEST(Translator, HostileSizesEndWithAnError) {
  TranslatorOptions options;
  options.rules.limits.event_bytes = 1 << 16;
  const std::string error = "event: error\n";
  EXPECT_NE(translated(std::string(1 << 20, 'x'), options).find(error), std::string::npos);
  EXPECT_NE(translated("data: " + std::string(1 << 20, '['), options).find(error), std::string::npos);
  EXPECT_NE(translated(event(std::string(100000, '[') + std::string(100000, ']'))).find("nests deeper"),
            std::string::npos);
  std::string calls;
  for (int i = 0; i < 2000; ++i) {
    calls += event(R"({"choices":[{"delta":{"tool_calls":[{"index":)" + std::to_string(i) + "}]}}]}");
  }
  EXPECT_NE(translated(calls).find("more tool calls"), std::string::npos);
}

}  // namespace
}  // namespace splitproof::translator_test
