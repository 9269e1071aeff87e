// Events that a reader must report, and when.

#include "harness/observe/read_event.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace splitproof::observe::read_event_test {
namespace {

using namespace std::string_view_literals;

TEST(DemandedEvents, IsDueAfterLfAndOneByteLaterAfterCr) {
  const auto due = [](std::string_view body) { return demanded_events(body).front().due; };
  EXPECT_EQ(due("data: Ebb\n\n"), 11u);
  EXPECT_EQ(due("data: Ebb\r\n\r\n"), 13u);
  EXPECT_EQ(due("data: Ebb\r\rdata: Flood\n\n"), 12u);
  EXPECT_EQ(due("data: Ebb\n\r"), 12u);  // beyond the body: due at its end
}

TEST(DemandedEvents, LeavesOutEventsWithoutBlankLineOrData) {
  EXPECT_TRUE(demanded_events("event: tide\n\n: comment\n\ndata: Ebb\n").empty());
  EXPECT_EQ(demanded_events("data\n\n").size(), 1u);
}

TEST(DemandedEvents, EmptyTypeIsMessage) {
  EXPECT_EQ(demanded_events("event:\ndata: Ebb\n\n").front().type, "message");
  EXPECT_EQ(demanded_events("event: tide\ndata: Ebb\n\n").front().type, "tide");
}

TEST(DemandedEvents, KnowsIfItsBlockSetsTheId) {
  const auto events = demanded_events("id: 7\ndata: Ebb\n\nid: 8\0\ndata: Flood\n\n"sv);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_TRUE(events[0].sets_id);
  EXPECT_FALSE(events[1].sets_id);
  EXPECT_EQ(events[1].id, "7");
  EXPECT_TRUE(reports({"message", "Flood", "7"}, events[1]));
  EXPECT_TRUE(reports({"message", "Flood", ""}, events[1]));
  EXPECT_FALSE(reports({"message", "Ebb", ""}, events[0]));
}

TEST(Reported, ReadsTheLinesThatItWrites) {
  const std::string lines = line_of({"tide", "Ebb\n\u2028", "7"}) + line_of_error("broke off");
  const Reported all = reported(lines);
  ASSERT_EQ(all.events.size(), 1u);
  EXPECT_EQ(all.events[0].data, "Ebb\n\u2028");
  EXPECT_EQ(line_of(all.events[0]), lines.substr(0, all.events[0].end));
  ASSERT_EQ(all.errors.size(), 1u);
  EXPECT_EQ(all.errors[0].what, "broke off");
  EXPECT_EQ(all.errors[0].end, lines.size());
}

}  // namespace
}  // namespace splitproof::observe::read_event_test
