#include "harness/recording/recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/harness/observe/shared_streams.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::recording::recording_test {
namespace {

using namespace std::string_literals;
using nlohmann::json;

constexpr std::string_view kHead = R"({"splitproof":1,"protocol":"openai.chat","response":{"status":200}})";

TEST(Recording, ReadsEveryPartOfTheFormat) {
  const auto recording = parse(
      R"({"splitproof":1,"protocol":"openai.chat","title":"T","response":{"status":529,"headers":{"content-type":"text/event-stream","x":""}},"requests":{"anthropic.messages":{"z":1,"a":2}},"expect":{"text":"x"},"provenance":{"source":"s"},"features":["parallel_tools","b"]})"
      "\n{\"at\":0.000,\"text\":\"data: "
      "\"}\r\n{\"at\":0.031,\"base64\":\"4pyTIA==\"}\n{\"at\":1.204,\"end\":\"closed\"}\n",
      "some/where/x.rec.jsonl");
  ASSERT_TRUE(recording) << describe(recording.error());
  EXPECT_EQ(recording->id, "x");
  EXPECT_EQ(recording->path, "some/where/x.rec.jsonl");
  EXPECT_EQ(recording->protocol, "openai.chat");
  EXPECT_EQ(recording->title, "T");
  EXPECT_EQ(recording->status, 529);
  EXPECT_EQ(recording->headers,
            (std::map<std::string, std::string>{{"content-type", "text/event-stream"}, {"x", ""}}));
  EXPECT_EQ(recording->body, "data: \u2713 ");
  EXPECT_EQ(recording->arrivals, (std::vector<Arrival>{{0.0, 6}, {0.031, 10}}));
  EXPECT_EQ(recording->end, End::closed);
  EXPECT_EQ(recording->ended_at, 1.204);
  EXPECT_EQ(*recording->requests, json::parse(R"({"anthropic.messages":{"z":1,"a":2}})"));
  EXPECT_EQ(*recording->expect, json::parse(R"({"text":"x"})"));
  EXPECT_EQ(*recording->provenance, json::parse(R"({"source":"s"})"));
  EXPECT_EQ(recording->features, (std::vector<std::string>{"parallel_tools", "b"}));
  EXPECT_TRUE(recording->warnings.empty());
}

TEST(Recording, EveryBrokenFileHasOneErrorWithLineAndReason) {
  struct Case {
    std::string text;
    std::size_t line;
    std::string_view word;
  };
  const std::string head(kHead);
  const auto with = [&](const std::string& more) { return head + "\n" + more; };
  const auto head_with = [](const std::string& key) {
    return R"({"splitproof":1,"protocol":"sse","response":{"status":200},)" + key + "}\n";
  };
  const std::string end = "{\"at\":9,\"end\":\"complete\"}\n";
  const std::vector<Case> cases = {
      {"", 1, "empty"},
      {"\n", 1, "empty"},
      {"\xEF\xBB\xBF" + with(end), 1, "byte order mark"},
      {"nonsense\n", 1, "not JSON"},
      {"[]\n", 1, "not a JSON object"},
      {"{\"at\":0,\"text\":\"x\"}\n" + end, 1, "head is missing"},
      {"{\"splitproof\":2}\n", 1, "version `2`"},
      {"{\"splitproof\":\"1\"}\n", 1, "version"},
      {"{\"splitproof\":1.0}\n", 1, "version"},
      {R"({"splitproof":1,"response":{"status":200}})", 1, "no `protocol`"},
      {R"({"splitproof":1,"protocol":7})", 1, "`protocol` is not a string"},
      {R"({"splitproof":1,"protocol":"OpenAI Chat"})", 1, "`OpenAI Chat` cannot be the name of a protocol"},
      {R"({"splitproof":1,"protocol":"sse"})", 1, "no `response`"},
      {R"({"splitproof":1,"protocol":"sse","response":[]})", 1, "`response` is not an object"},
      {R"({"splitproof":1,"protocol":"sse","response":{}})", 1, "status"},
      {R"({"splitproof":1,"protocol":"sse","response":{"status":"200"}})", 1, "status"},
      {R"({"splitproof":1,"protocol":"sse","response":{"status":200.5}})", 1, "status"},
      {R"({"splitproof":1,"protocol":"sse","response":{"status":99}})", 1, "status"},
      {R"({"splitproof":1,"protocol":"sse","response":{"status":600}})", 1, "status"},
      {R"({"splitproof":1,"protocol":"sse","response":{"status":18446744073709551615}})", 1, "status"},
      {R"({"splitproof":1,"protocol":"sse","response":{"status":200,"header":{}}})", 1, "`header`"},
      {R"({"splitproof":1,"protocol":"sse","response":{"status":200,"headers":[]}})", 1, "`headers` is not"},
      {R"({"splitproof":1,"protocol":"sse","response":{"status":200,"headers":{"a":1}}})", 1,
       "`a` is not a string"},
      {R"({"splitproof":1,"protocol":"sse","response":{"status":200,"headers":{"a":"x\ny"}}})", 1,
       "cannot be sent"},
      {R"({"splitproof":1,"protocol":"sse","response":{"status":200,"headers":{"a b":"x"}}})", 1,
       "cannot be sent"},
      {head_with(R"("titel":"x")"), 1, "unknown key `titel`"},
      {head_with(R"("title":1)"), 1, "`title` is not a string"},
      {head_with(R"("requests":[])"), 1, "`requests` is not an object"},
      {head_with(R"("requests":{"sse":1})"), 1, "request for `sse`"},
      {head_with(R"("expect":1)"), 1, "`expect` is not an object"},
      {head_with(R"("provenance":"x")"), 1, "`provenance` is not an object"},
      {head_with(R"("features":{})"), 1, "`features` is not an array"},
      {head_with(R"("features":[1])"), 1, "`features` has a value"},
      {head_with("\"expect\":" + std::string(100'000, '[')), 1, "deeper than 512"},
      {with(head + "\n"), 2, "second head"},
      {with("\n" + end), 2, "empty"},
      {with("{\"at\":0,\"text\":\"x\"\n" + end), 2, "not JSON"},
      {with("{\"at\":0,\"text\":\"\xFF\"}\n" + end), 2, "not UTF-8 at byte 17"},
      {with("{\"at\":0,\"text\":\"\\ud83d\"}\n" + end), 2, "surrogate"},
      {with("{\"at\":0}\n" + end), 2, "exactly one"},
      {with("{\"at\":0,\"text\":\"x\",\"base64\":\"eA==\"}\n" + end), 2, "exactly one"},
      {with("{\"at\":0,\"text\":\"x\",\"end\":\"complete\"}\n"), 2, "exactly one"},
      {with("{\"at\":0,\"test\":\"x\"}\n" + end), 2, "unknown key `test`"},
      {with("{\"text\":\"x\"}\n" + end), 2, "`at` is not"},
      {with("{\"at\":\"0\",\"text\":\"x\"}\n" + end), 2, "`at` is not"},
      {with("{\"at\":NaN,\"text\":\"x\"}\n" + end), 2, "not JSON"},
      {with("{\"at\":1e999,\"text\":\"x\"}\n" + end), 2, "range of a double"},
      {with("{\"at\":-0.5,\"text\":\"x\"}\n" + end), 2, "from 0 up"},
      {with("{\"at\":0,\"text\":1}\n" + end), 2, "`text` is not a string"},
      {with("{\"at\":0,\"text\":\"\"}\n" + end), 2, "chunk is empty"},
      {with("{\"at\":0,\"base64\":\"eA\"}\n" + end), 2, "not base64"},
      {with("{\"at\":0,\"end\":\"done\"}\n"), 2, "`done` is unknown"},
      {with("{\"at\":2,\"text\":\"x\"}\n{\"at\":1,\"text\":\"y\"}\n" + end), 3, "backwards"},
      {with("{\"at\":2,\"text\":\"x\"}\n{\"at\":1.9,\"end\":\"complete\"}\n"), 3, "backwards"},
      {with(end + end), 3, "follows the line with `end`"},
      {with(end + "{\"at\":9,\"te"), 3, "not JSON"},
      {with(end + "\n"), 3, "empty"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text.substr(0, 200));
    const auto recording = parse(c.text, "broken.rec.jsonl");
    ASSERT_FALSE(recording);
    EXPECT_EQ(recording.error().file, "broken.rec.jsonl");
    EXPECT_EQ(recording.error().line, c.line) << describe(recording.error());
    EXPECT_NE(recording.error().what.find(c.word), std::string::npos) << describe(recording.error());
    EXPECT_LT(describe(recording.error()).size(), 300u);
  }
}

TEST(Recording, CutOffAnywhereAfterItsHeadItLoadsAsReset) {
  const std::string whole =
      std::string(kHead) +
      "\n{\"at\":0.5,\"text\":\"\u2713a\"}\n{\"at\":1,\"base64\":\"/w==\"}\n{\"at\":2,\"end\":\"stall\"}\n";
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    SCOPED_TRACE(size);
    const auto recording = parse(whole.substr(0, size), "x.rec.jsonl");
    ASSERT_EQ(recording.has_value(), size >= kHead.size());
    if (!recording) continue;
    const bool ended = size + 1 >= whole.size();
    EXPECT_EQ(recording->end, ended ? End::stall : End::reset);
    EXPECT_EQ(recording->warnings.empty(), ended);
    EXPECT_EQ(recording->body,
              "\u2713a\xFF"s.substr(0, recording->arrivals.empty() ? 0 : recording->arrivals.back().end));
    EXPECT_EQ(recording->ended_at, ended                         ? 2
                                   : recording->arrivals.empty() ? 0
                                                                 : recording->arrivals.back().at);
  }
}

/// Returns a recording of `body` with random cuts, some inside characters.
Recording random_recording(std::string body, std::mt19937& random) {
  Recording recording;
  recording.id = "random";
  recording.protocol = "openai.chat";
  recording.title = "\"quoted\" \u2028 \n";
  recording.status = 100 + static_cast<int>(random() % 500);
  recording.headers = {{"content-type", "text/event-stream"}, {"x-odd", "a: b\t\\"}};
  recording.body = std::move(body);
  recording.end = static_cast<End>(random() % 4);
  recording.features = {"a", "b"};
  recording.requests =
      std::make_shared<const json>(json::parse(R"({"openai.chat":{"n":0.1,"big":18446744073709551615}})"));
  recording.provenance = std::make_shared<const json>(json::object());
  const std::size_t body_size = recording.body.size();
  const std::size_t longest = 1 + random() % (body_size < 100 ? 10 : 1000);
  double time = 0;
  for (std::size_t at = 0; at < body_size;) {
    at = std::min(body_size, at + 1 + random() % longest);
    time += static_cast<double>(random() % 3) * 0.1 / 3;
    recording.arrivals.push_back({time, at});
  }
  recording.ended_at = time;
  return recording;
}

TEST(Recording, WhatIsSavedLoadsAsItWas) {
  std::mt19937 random(5);
  std::vector<std::string> bodies = {"",
                                     "\r\n",
                                     "\0\x01\x7F"s,
                                     "\xFF\xFE",
                                     "\xF0\x9F\x98\x80\xE2\x9C\x93\xC3\xA9",
                                     std::string(3'000'000, 'x')};
  if (!observe::shared_recordings().empty()) {
    for (const char* protocol :
         {"anthropic-messages", "openai-chat", "openai-responses", "gemini", "other"}) {
      for (const auto& stream : sampled(observe::shared_streams(protocol), 24)) bodies.push_back(stream.body);
    }
  }
  std::size_t chunks = 0, binary = 0;
  for (const std::string& body : bodies) {
    const Recording recording = random_recording(body, random);
    const auto text = to_text(recording);
    ASSERT_TRUE(text) << describe(text.error());
    const auto loaded = parse(*text, "random.rec.jsonl");
    ASSERT_TRUE(loaded) << describe(loaded.error());
    ASSERT_TRUE(*loaded == recording);
    chunks += recording.arrivals.size();
    for (std::size_t at = text->find("\"base64\":"); at != text->npos; at = text->find("\"base64\":", at + 1))
      ++binary;
  }
  std::printf("seed 5: %zu bodies, %zu chunks, %zu of them base64\n", bodies.size(), chunks, binary);
  EXPECT_GT(binary, 0u);
}

TEST(Recording, ComparesByWhatItSays) {
  std::mt19937 random(6);
  const Recording recording = random_recording("data: x\n\n", random);
  Recording other = recording;
  other.path = "elsewhere";
  other.warnings = {"w"};
  other.requests = std::make_shared<const json>(*recording.requests);
  EXPECT_TRUE(other == recording);
  other.expect = std::make_shared<const json>(json::object());
  EXPECT_FALSE(other == recording);
  other = recording;
  other.arrivals.back().at += 1;
  EXPECT_FALSE(other == recording);
}

TEST(Recording, SaveRefusesWhatCouldNotBeLoaded) {
  std::mt19937 random(8);
  const Recording sound = random_recording("data: x\n\n", random);
  const std::vector<std::pair<std::string_view, void (*)(Recording&)>> cases = {
      {"protocol", [](Recording& r) { r.protocol = "HTTP"; }},
      {"status", [](Recording& r) { r.status = 0; }},
      {"cannot be sent", [](Recording& r) { r.headers["a"] = "b\r\nc: d"; }},
      {"before the body", [](Recording& r) { r.body += "y"; }},
      {"do not cut", [](Recording& r) { r.body.pop_back(); }},
      {"do not cut", [](Recording& r) { r.arrivals.push_back(r.arrivals.back()); }},
      {"before the body", [](Recording& r) { r.arrivals.clear(); }},
      {"backwards", [](Recording& r) { r.arrivals.back().at += 1; }},
      {"from 0 up", [](Recording& r) { r.ended_at = std::numeric_limits<double>::quiet_NaN(); }},
      {"from 0 up", [](Recording& r) { r.arrivals.front().at = -1; }},
      {"from 0 up", [](Recording& r) { r.ended_at = std::numeric_limits<double>::infinity(); }},
      {"not UTF-8", [](Recording& r) { r.title = "\xFF"; }},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.first);
    Recording recording = sound;
    c.second(recording);
    const auto text = to_text(recording);
    ASSERT_FALSE(text);
    EXPECT_NE(text.error().what.find(c.first), std::string::npos) << text.error().what;
  }
}

TEST(Recording, SaysWhetherItsShapeIsThatOfARealStream) {
  const auto follows = [](const char* provenance) {
    Recording recording;
    if (*provenance != 0)
      recording.provenance = std::make_shared<const nlohmann::json>(nlohmann::json::parse(provenance));
    return follows_real_stream(recording);
  };
  EXPECT_TRUE(follows(""));
  EXPECT_TRUE(follows(R"({"license":"MIT"})"));
  EXPECT_TRUE(follows(R"({"source":"our gateway, in May"})"));
  EXPECT_TRUE(follows(R"({"source":"written for splitproof","after":"role_never_sent"})"));
  EXPECT_TRUE(follows(R"({"source":"written for splitproof","incidents":["a/b#1"]})"));
  EXPECT_FALSE(
      follows(R"({"source":"written for splitproof","license":"Apache-2.0","quirk":"keys in texts"})"));
  EXPECT_FALSE(follows(R"({"source":"made by splitproof shrink","case":"a/b"})"));
}

}  // namespace
}  // namespace splitproof::recording::recording_test
