#include "harness/split/event_edit.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "harness/aws_frame.hpp"
#include "harness/split/crossed_event.hpp"

namespace splitproof::split::event_edit_test {
namespace {

const BodyFormat kSse{Framing::sse, "[DONE]"};
const BodyFormat kLines{Framing::json_lines, ""};

const std::string kBody =
    "data: {\"a\":1,\"b\":\"x\"}\n\n: comment\nevent: e\ndata: {\"c\":[1,2]}\n\ndata: [DONE]\n\n";

std::string edited(const std::string& body, const std::string& label, const BodyFormat& format = kSse) {
  const auto made = edit_events(body, label, format);
  if (!made) return made.error().what;
  EXPECT_EQ(made->arrivals.empty(), made->body.empty());
  EXPECT_EQ(made->arrivals.empty() ? 0 : made->arrivals.back(), made->body.size());
  return made->body;
}

TEST(EventEdit, EventsJoinedAreTheBody) {
  EXPECT_EQ(events_of(kBody, kSse).size(), 3U);
  for (const std::string& body : {kBody, kBody + "data: rest", std::string("\n\n"), std::string("x")}) {
    std::string joined;
    for (const std::string& event : events_of(body, kSse)) joined += event;
    EXPECT_EQ(joined, body);
  }
  EXPECT_TRUE(events_of("", kSse).empty());
}

TEST(EventEdit, EventsAreDroppedCopiedAndSwapped) {
  const std::vector<std::string> events = events_of(kBody, kSse);
  EXPECT_EQ(edited(kBody, "drop:1"), events[0] + events[2]);
  EXPECT_EQ(edited(kBody, "copy:0:3"), kBody + events[0]);
  EXPECT_EQ(edited(kBody, "copy:2:0"), events[2] + kBody);
  EXPECT_EQ(edited(kBody, "swap:0:2"), events[2] + events[1] + events[0]);
  EXPECT_EQ(edited(kBody, "drop:0+drop:0"), events[2]);
}

TEST(EventEdit, EventWithoutItsEndRunsIntoTheNext) {
  EXPECT_EQ(edited("data: 1\n\ndata: 2\n\n", "join:0"), "data: 1\ndata: 2\n\n");
  EXPECT_EQ(edited("{\"a\":1}\n{\"b\":2}\n", "join:0", kLines), "{\"a\":1}{\"b\":2}\n");
}

TEST(EventEdit, DataIsSplitIntoLines) {
  EXPECT_EQ(edited("data: {\"a\":\"x,y\",\"b\":2}\n\n", "split:0:0"),
            "data: {\"a\":\"x,y\",\ndata: \"b\":2}\n\n");
  EXPECT_EQ(edited("data: {\"a\":1}\n\n", "split:0:0"), "this body has no edit split:0:0");
}

TEST(EventEdit, ValuesAreChanged) {
  const std::string body = "data: {\"a\":1,\"b\":[\"x\",{\"c_d\":\"2\"}]}\n\n";
  const auto of = [&](const std::string& label) {
    const std::string made = edited(body, label);
    return made.starts_with("data: ") ? made.substr(6, made.size() - 8) : made;
  };
  EXPECT_EQ(of("set:0:1:null"), R"({"a":null,"b":["x",{"c_d":"2"}]})");
  EXPECT_EQ(of("set:0:0:list"), "[]");
  EXPECT_EQ(of("erase:0:1"), R"({"b":["x",{"c_d":"2"}]})");
  EXPECT_EQ(of("erase:0:3"), R"({"a":1,"b":[{"c_d":"2"}]})");
  EXPECT_EQ(of("double:0:1"), R"({"a":2,"b":["x",{"c_d":"2"}]})");
  EXPECT_EQ(of("double:0:3"), R"({"a":1,"b":["xx",{"c_d":"2"}]})");
  EXPECT_EQ(of("take:0:1:0:3"), R"({"a":"x","b":["x",{"c_d":"2"}]})");
  EXPECT_EQ(of("form:0:1:text"), R"({"a":"1","b":["x",{"c_d":"2"}]})");
  EXPECT_EQ(of("form:0:5:number"), R"({"a":1,"b":["x",{"c_d":2}]})");
  EXPECT_EQ(of("form:0:5:camel"), R"({"a":1,"b":["x",{"cD":"2"}]})");
  EXPECT_EQ(of("form:0:3:upper"), R"({"a":1,"b":["X",{"c_d":"2"}]})");
  EXPECT_EQ(of("form:0:1:list"), R"({"a":[1],"b":["x",{"c_d":"2"}]})");
  EXPECT_EQ(of("form:0:4:written"), R"({"a":1,"b":["x","{\"c_d\":\"2\"}"]})");
  EXPECT_EQ(of("form:0:1:last"), R"({"b":["x",{"c_d":"2"}],"a":1})");
  EXPECT_EQ(of("form:0:4:written+form:0:4:parsed"), R"({"a":1,"b":["x",{"c_d":"2"}]})");
}

TEST(EventEdit, AwsFrameWithOtherJsonHasValidCrcs) {
  const std::string frame = write_aws_frame({{":event-type", kAwsText, "chunk"}}, R"({"a":1})");
  const std::string made = edited(frame + frame, "set:1:1:yes", {Framing::aws_frames, ""});
  ASSERT_TRUE(made.starts_with(frame));
  const std::string second = made.substr(frame.size());
  const ReadAwsFrame read = read_aws_frame(second);
  EXPECT_EQ(read.fault, "");
  EXPECT_EQ(second.substr(read.frame.payload_begin, second.size() - kAwsCrc - read.frame.payload_begin),
            R"({"a":true})");
}

TEST(EventEdit, EventOfAnotherBodyIsCrossedIn) {
  const std::string event = "data: {\"a\":1,\"b\":\"other\"}\n\n";
  const std::string word = crossed_word(event, kBody);
  EXPECT_LT(word.size(), event.size() * 2);
  EXPECT_EQ(edited(kBody, "cross:0:" + word), event + kBody);
  EXPECT_EQ(crossed_event(word, kBody), event);
  EXPECT_FALSE(crossed_event(word, "another body"));
  EXPECT_FALSE(crossed_event("nonsense", kBody));
  EXPECT_FALSE(crossed_event("", kBody));
}

TEST(EventEdit, ByteIsDamaged) { EXPECT_EQ(edited("data: a\n\n", "flip:6:03"), "data: b\n\n"); }

TEST(EventEdit, EditThatDoesNotApplyIsRefused) {
  for (const char* label : {"drop:9", "copy:0:9", "swap:0:0", "set:0:99:null", "set:2:0:null", "flip:9999:01",
                            "cross:0:AAAA", "erase:0:0", "double:1:0", "take:0:1:9:0"})
    EXPECT_EQ(edited(kBody, label), "this body has no edit " + std::string(label));
  for (const char* label :
       {"", "drop", "drop:", "drop:01", "drop:x", "drop:0:1", "set:0:0:nothing", "form:0:0:odd", "flip:0:00",
        "flip:0:1", "flip:0:ff", "turn:0", "drop:-1", "drop:0+"})
    EXPECT_FALSE(edit_events(kBody, label, kSse)) << label;
  std::string many = "drop:0";
  for (std::size_t i = 0; i < kMostEdits; ++i) many += "+drop:0";
  EXPECT_EQ(edited(kBody, many), "a case has at most 16 edits");
}

TEST(EventEdit, DrawnEditsApplyAndAllKindsAreDrawn) {
  SplitMix64 random(3);
  std::set<std::string> kinds;
  const std::vector<std::string> others = {"data: {\"z\":1}\n\n"};
  for (int i = 0; i < 2000; ++i) {
    const std::string label = draw_edit(kBody, kSse, others, random);
    ASSERT_NE(label, "");
    const auto made = edit_events(kBody, label, kSse);
    ASSERT_TRUE(made) << label;
    EXPECT_NE(made->body, kBody) << label;
    kinds.insert(label.substr(0, label.find(':')));
  }
  EXPECT_EQ(kinds.size(), 12U);
  EXPECT_EQ(draw_edit("", kSse, others, random), "");
}

TEST(EventEdit, AnyBytesCanBeEdited) {
  SplitMix64 random(5);
  constexpr std::string_view kBytes = "data: {}[]\",:1\n\r\\x\xC3\xA9";
  for (int i = 0; i < 3000; ++i) {
    std::string body;
    for (std::uint64_t size = random.below(60); size > 0; --size) body += kBytes[random.below(kBytes.size())];
    for (const Framing framing : {Framing::sse, Framing::json_lines, Framing::aws_frames, Framing::json_array,
                                  Framing::sse_or_array}) {
      const BodyFormat format{framing, ""};
      const std::string label = draw_edit(body, format, {}, random);
      EXPECT_TRUE(label.empty() || edit_events(body, label, format)) << label;
    }
  }
}

}  // namespace
}  // namespace splitproof::split::event_edit_test
