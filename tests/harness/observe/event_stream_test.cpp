#include "harness/observe/event_stream.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "harness/observe/trace.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::observe::event_stream_test {
namespace {

// Returns streams with everything that a window could lose: current ids, odd lines between events, every line end.
std::string some_stream(std::mt19937& random) {
  static const std::vector<std::string> pieces = {
      "data: {\"a\":1}", "data: [DONE]", "data: {\"a\":", "event: x", "id: 7",      "id: 8",
      ": comment",       "retry: 5",     "Data: lost",    "stray",    "data: \xff", "data:\xC3\xA4"};
  static const std::vector<std::string> ends = {"\n",       "\r\n", "\r",   "\n\n",
                                                "\r\n\r\n", "\r\r", "\n\n", "\n\n"};
  std::string body = random() % 4 == 0 ? "\xEF\xBB\xBF" : "";
  for (std::size_t left = random() % 40; left > 0; --left)
    body += pieces[random() % pieces.size()] + ends[random() % ends.size()];
  return body;
}

std::string shown(const Event& event) {
  nlohmann::json all = {event.event.value_or("-"),
                        event.id,
                        event.retry.value_or(0),
                        event.begin,
                        event.end,
                        event.line,
                        name(event.fault),
                        event.fault_at,
                        event.fault_reason,
                        event.lone_surrogate,
                        event.lone_cr};
  all.push_back(event.json == nullptr ? nlohmann::json() : *event.json);
  for (const OddLine& odd : event.odd) all.push_back({odd.kind, odd.line, odd.text, odd.begin, odd.end});
  return event.data + all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<std::string> shown(const Window& window) {
  std::vector<std::string> all;
  for (const Event& event : window.events) all.push_back(shown(event));
  return all;
}

TEST(EventStream, HasTheEventsOfTheTraceInWindowsOfAnySizeReadInAnyOrder) {
  std::mt19937 random(1);
  for (int round = 0; round < (kSanitized ? 300 : 2000); ++round) {
    const std::string body = some_stream(random);
    const Trace trace = read_trace(body, DataKind::json);
    BodyStream stream(body, DataKind::json, random() % 30);
    std::vector<std::vector<std::string>> windows;
    std::size_t events = 0;
    while (const auto window = stream.window(windows.size())) {
      ASSERT_EQ(window->first, events);
      windows.push_back(shown(*window));
      for (const std::string& event : windows.back()) {
        ASSERT_LT(events, trace.events.size());
        ASSERT_EQ(event, shown(trace.events[events])) << body;
        EXPECT_EQ(stream.window_of(events), windows.size() - 1);
        ++events;
      }
    }
    ASSERT_EQ(events, trace.events.size()) << body;
    for (int again = 0; again < 8 && !windows.empty(); ++again) {
      const std::size_t number = random() % windows.size();
      ASSERT_EQ(shown(*stream.window(number)), windows[number]) << body;
    }
    EXPECT_FALSE(stream.window(windows.size()));

    const std::size_t begin = random() % (events + 1);
    const std::size_t end = begin + random() % (events + 1 - begin);
    PartOfStream part(stream, begin, end);
    std::size_t next = begin;
    for (std::size_t number = 0; const auto window = part.window(number); ++number) {
      ASSERT_EQ(window->first, next - begin);
      for (const Event& event : window->events) ASSERT_EQ(shown(event), shown(trace.events[next++])) << body;
    }
    EXPECT_EQ(next, end);
  }
}

}  // namespace
}  // namespace splitproof::observe::event_stream_test
