#include "harness/observe/trace.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tests/harness/observe/shared_streams.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::observe::trace_test {
namespace {

using namespace std::string_view_literals;

const DataKind kMarked{true, {"[END]", "[DONE]"}};

TEST(Trace, FaultsByKindPlaceAndReason) {
  struct Case {
    std::string_view body;
    DataKind kind;
    StreamFault fault;
    std::size_t at;
    std::string_view word;
  };
  const std::vector<Case> cases = {
      {"data: {\"a\":1}\n\n", DataKind::json, StreamFault::none, 0, ""},
      {"data: [DONE]\n\n", kMarked, StreamFault::none, 0, ""},
      {"data: [DONE]\n\n", DataKind::json, StreamFault::broken_json, 7, "not JSON"},
      {"data: [DONE] \n\n", kMarked, StreamFault::broken_json, 7, "not JSON"},
      {"data: [DONE]\n", kMarked, StreamFault::unterminated_event, 13, "blank line"},
      {"data: {\"a\":1\n\n", DataKind::json, StreamFault::broken_json, 12, "end of input"},
      {"data: {\"a\":1\n\n", DataKind::text, StreamFault::none, 0, ""},
      {"data\n\n", DataKind::json, StreamFault::broken_json, 4, "end of input"},
      {"data: {\r\ndata:\"a\" 1}\r\n\r\n", DataKind::json, StreamFault::broken_json, 18, "expected ':'"},
      {"data: {\ndata: \n\n", DataKind::json, StreamFault::broken_json, 14, "end of input"},
      {"data: {}{}\n\n", DataKind::json, StreamFault::broken_json, 8, "expected end of input"},
      {"data: \"\\ud83d\n\n", DataKind::json, StreamFault::broken_json, 13, "inside a string"},
      {"data: \"\xFF\"\n\n", DataKind::json, StreamFault::invalid_utf8, 7, "UTF-8"},
      {"data: {\xFF\n\n", DataKind::json, StreamFault::invalid_utf8, 7, "UTF-8"},
      {"data: \xFF\n\n", DataKind::text, StreamFault::invalid_utf8, 6, "UTF-8"},
      {"data: {}\n", DataKind::json, StreamFault::unterminated_event, 9, "blank line"},
      {"data: {\"a", DataKind::json, StreamFault::unterminated_event, 9, "blank line"},
      {"data: {\"\xE2\x82", DataKind::json, StreamFault::unterminated_event, 10, "blank line"},
      {"data: {\"\xFF", DataKind::json, StreamFault::invalid_utf8, 8, "UTF-8"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.body));
    const Trace trace = read_trace(c.body, c.kind);
    ASSERT_EQ(trace.events.size(), 1u);
    const Event& event = trace.events[0];
    EXPECT_EQ(event.fault, c.fault) << event.fault_reason;
    EXPECT_EQ(event.fault_at, c.at) << event.fault_reason;
    EXPECT_EQ(event.fault_reason.empty(), c.fault == StreamFault::none);
    EXPECT_NE(event.fault_reason.find(c.word), std::string::npos) << event.fault_reason;
    if (c.fault != StreamFault::none || !c.kind.is_json) {
      EXPECT_EQ(event.json, nullptr);
    }
  }
}

TEST(Trace, HalfASurrogatePairIsReadAndTold) {
  const std::vector<std::pair<std::string_view, std::string_view>> cases = {
      {R"({"a":["\ud83d"]})", "\\ud83d"}, {R"({"a":"x\uDE00y"})", "\\ude00"},
      {R"({"\ud83d":1})", "\\ud83d"},     {R"({"a":"\ude00\ud83d"})", "\\ude00"},
      {R"({"a":"\ud83d\ude00"})", ""},    {R"({"a":"é😀"})", ""},
  };
  for (const auto& [data, surrogate] : cases) {
    SCOPED_TRACE(std::string(data));
    const Trace trace = read_trace("data: " + std::string(data) + "\n\n", DataKind::json);
    ASSERT_EQ(trace.events.size(), 1u);
    EXPECT_EQ(trace.events[0].fault, StreamFault::none);
    EXPECT_NE(trace.events[0].json, nullptr);
    EXPECT_EQ(trace.events[0].lone_surrogate, surrogate);
  }
  // If the text has another fault too, or a number out of range, that fault is reported.
  for (const std::string_view data : {R"({"a":"\ud83d",})", R"({"a":"\ud83d","b":1e999})", R"(["\ud83d")"}) {
    const Trace trace = read_trace("data: " + std::string(data) + "\n\n", DataKind::json);
    EXPECT_EQ(trace.events.at(0).fault, StreamFault::broken_json) << data;
    EXPECT_EQ(trace.events.at(0).lone_surrogate, "") << data;
  }
}

TEST(Trace, KeepsWhatTheEventSaid) {
  const Trace trace =
      read_trace("id: 4\nretry: 9\nevent: e\ndata: {\"a\":\ndata: [1]}\n\nevent\ndata: [DONE]\n\n", kMarked);
  ASSERT_EQ(trace.events.size(), 2u);
  const Event& first = trace.events[0];
  EXPECT_EQ(first.event, "e");
  EXPECT_EQ(first.id, "4");
  EXPECT_EQ(first.retry, 9u);
  ASSERT_NE(first.json, nullptr);
  EXPECT_EQ(*first.json, nlohmann::json::parse(R"({"a":[1]})"));
  EXPECT_EQ(first.begin, 0u);
  EXPECT_EQ(first.end, 48u);
  const Event& second = trace.events[1];
  EXPECT_EQ(second.event, "");
  EXPECT_EQ(second.id, "4");
  EXPECT_EQ(second.retry, std::nullopt);
  EXPECT_EQ(second.json, nullptr);
  EXPECT_EQ(trace.message_end, MessageEnd::complete);
}

TEST(Trace, NamesAreTheContracts) {
  EXPECT_EQ(name(StreamFault::none), "");
  EXPECT_EQ(name(StreamFault::invalid_utf8), "invalid-utf8");
  EXPECT_EQ(name(StreamFault::broken_json), "broken-json");
  EXPECT_EQ(name(StreamFault::unterminated_event), "unterminated-event");
}

TEST(Trace, TenMillionLevelsAreAFault) {
  const Trace trace = read_trace("data: " + std::string(10'000'000, '[') + "\n\n", DataKind::json);
  ASSERT_EQ(trace.events.size(), 1u);
  EXPECT_EQ(trace.events[0].fault, StreamFault::broken_json);
  EXPECT_EQ(trace.events[0].fault_at, 6u + 512u);
}

TEST(Trace, RecordedStreamsAreFreeOfFaults) {
  if (shared_recordings().empty()) GTEST_SKIP() << "../shared is absent";
  std::size_t streams = 0, events = 0, unterminated = 0;
  for (const char* protocol : {"anthropic-messages", "openai-chat"}) {
    for (const SharedStream& stream : sampled(shared_streams(protocol), 8)) {
      SCOPED_TRACE(stream.name);
      ++streams;
      // The only fault of real streams; the recorder noted it too.
      const bool no_final_blank_line = stream.meta.find("\"no_final_blank_line\"") != std::string::npos;
      unterminated += no_final_blank_line;
      std::string faults;
      for (const Event& event : read_trace(stream.body, kMarked).events) {
        ++events;
        if (event.fault != StreamFault::none) faults += std::string(name(event.fault)) + " ";
      }
      EXPECT_EQ(faults, no_final_blank_line ? "unterminated-event " : "");
    }
  }
  std::printf("%zu streams, %zu events, %zu unterminated\n", streams, events, unterminated);
  EXPECT_GT(streams, kSanitized ? 70u : 600u);
}

}  // namespace
}  // namespace splitproof::observe::trace_test
