// Tests the changes: each is a single change, all are made, and content without meaning is left alone.

#include "harness/selftest/changes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/observe/trace.hpp"
#include "tests/harness/selftest/controls.hpp"

namespace splitproof::selftest::changes_test {
namespace {

std::vector<Change> changes_of(const Stream& stream) { return small_changes(stream.protocol, stream.body); }

std::size_t count(const std::vector<Change>& changes, std::string_view kind, const std::string& event_class,
                  const std::string& field_class = {}) {
  return static_cast<std::size_t>(std::count_if(changes.begin(), changes.end(), [&](const Change& change) {
    return change.kind == kind && change.event_class == event_class && change.field_class == field_class;
  }));
}

std::vector<std::string> data_of(const std::string& body) {
  std::vector<std::string> data;
  for (const observe::Event& event : observe::read_trace(body, observe::DataKind::text).events)
    data.push_back(event.data);
  return data;
}

TEST(SmallChanges, EachIsAnotherBodyAndNoneIsMadeTwice) {
  for (const Stream& stream : some_controls()) {
    SCOPED_TRACE(stream.name);
    std::set<std::string> bodies = {stream.body};
    for (const Change& change : changes_of(stream)) {
      EXPECT_TRUE(bodies.insert(change.body).second)
          << change.kind << " of event " << change.event << change.field;
    }
    EXPECT_GT(bodies.size(), 50u);
  }
}

TEST(SmallChanges, AreTheSameEveryTime) {
  for (const Stream& stream : some_controls()) {
    const std::vector<Change> once = changes_of(stream);
    const std::vector<Change> again = changes_of(stream);
    ASSERT_EQ(once.size(), again.size());
    for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(once[i].body, again[i].body);
  }
}

// Only the changed event differs, and the next one if a blank line is missing.
TEST(SmallChanges, TouchOneEvent) {
  for (const Stream& stream : some_controls()) {
    SCOPED_TRACE(stream.name);
    const std::vector<std::string> before = data_of(stream.body);
    for (const Change& change : changes_of(stream)) {
      if (change.kind == "to-front" || change.kind == "to-end" || change.kind == "cut-behind" ||
          change.kind == "swap")
        continue;
      const std::vector<std::string> after = data_of(change.body);
      const std::size_t i = change.event;
      ASSERT_GE(after.size(), i) << change.kind;
      EXPECT_TRUE(std::equal(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(i), after.begin()))
          << change.kind;
      const std::size_t behind = before.size() - i - 1;
      const std::size_t untouched = change.kind == "glue"         ? behind - 1
                                    : change.kind == "cut-inside" ? 0
                                                                  : behind;
      ASSERT_GE(after.size(), untouched) << change.kind;
      EXPECT_TRUE(std::equal(before.rbegin(), before.rbegin() + static_cast<std::ptrdiff_t>(untouched),
                             after.rbegin()))
          << change.kind;
    }
  }
}

// Moved events are all present, in another order. Truncation removes only the end.
TEST(SmallChanges, MovedEventsAreNotLost) {
  for (const Stream& stream : some_controls()) {
    std::vector<std::string> before = data_of(stream.body);
    for (const Change& change : changes_of(stream)) {
      std::vector<std::string> after = data_of(change.body);
      if (change.kind == "cut-behind") {
        EXPECT_EQ(after, std::vector<std::string>(
                             before.begin(), before.begin() + static_cast<std::ptrdiff_t>(change.event) + 1));
      }
      if (change.kind != "swap" && change.kind != "to-front" && change.kind != "to-end") continue;
      EXPECT_NE(after, before) << change.kind;
      EXPECT_TRUE(std::is_permutation(after.begin(), after.end(), before.begin(), before.end()))
          << change.kind;
    }
  }
}

TEST(SmallChanges, OfEveryEventAndEveryField) {
  const auto changes = changes_of(control("anthropic.messages", "two-tools"));
  const std::string start = "content_block_start tool_use";
  EXPECT_EQ(count(changes, "drop", start), 2u);
  EXPECT_EQ(count(changes, "double", start), 2u);
  EXPECT_EQ(count(changes, "retype", start), 2u * 7);
  for (const char* field : {"/type", "/index", "/content_block", "/content_block/type", "/content_block/id",
                            "/content_block/name", "/content_block/input"}) {
    for (const char* kind : {"drop-field", "rename-field", "null-field", "field-type"})
      EXPECT_EQ(count(changes, kind, start, field), 2u) << kind << " " << field;
  }
  EXPECT_EQ(count(changes, "other-value", start, "/content_block/name"), 2u);
  // To the other block and to a missing one.
  EXPECT_EQ(count(changes, "retarget", start, "/index"), 2u * 2);
  // To the other call's id, and to an unknown one.
  EXPECT_EQ(count(changes, "retarget", start, "/content_block/id"), 2u * 2);
  EXPECT_EQ(count(changes, "relabel", start, "/content_block/type"), 2u * 4);
}

TEST(SmallChanges, ToElementsOfArrays) {
  const auto changes = changes_of(control("openai.chat", "chat-two-tools"));
  const std::string element = "/choices/*/delta/tool_calls/*";
  for (const char* kind : {"drop-field", "double-element", "null-field", "field-type"})
    EXPECT_EQ(count(changes, kind, "call", element), 2u) << kind;
  EXPECT_EQ(count(changes, "rename-field", "call", element), 0u);
  EXPECT_EQ(count(changes, "drop-field", "call", element + "/function/name"), 2u);
}

TEST(SmallChanges, APieceThatIsLeftOutIsContentAndAnEventStructure) {
  std::map<std::string, std::set<ChangePart>> parts;
  for (const Stream& stream : some_controls()) {
    for (const Change& change : changes_of(stream)) {
      if (change.kind == "drop") parts[change.event_class].insert(change.part);
    }
  }
  for (const char* piece :
       {"content_block_delta text_delta", "content_block_delta input_json_delta", "text", "arguments",
        "response.output_text.delta", "response.function_call_arguments.delta"})
    EXPECT_EQ(parts[piece], std::set<ChangePart>{ChangePart::content}) << piece;
  for (const char* event : {"message_start", "content_block_stop", "message_delta", "role", "call", "finish",
                            "response.output_text.done", "response.output_item.added message"})
    EXPECT_EQ(parts[event], std::set<ChangePart>{ChangePart::structure}) << event;
}

TEST(SmallChanges, LeaveAloneWhatMeansNothing) {
  const auto changes = changes_of(control("anthropic.messages", "ping-between"));
  for (const char* kind : {"drop", "double", "swap"}) EXPECT_EQ(count(changes, kind, "ping"), 0u) << kind;
  EXPECT_EQ(count(changes, "to-front", "ping"), 1u);
  EXPECT_EQ(count(changes, "drop-field", "ping", "/type"), 1u);
}

TEST(SmallChanges, OfNothingAreNone) { EXPECT_TRUE(small_changes("anthropic.messages", "").empty()); }

}  // namespace
}  // namespace splitproof::selftest::changes_test
