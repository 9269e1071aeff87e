#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/dialect/openai_responses/answer.hpp"
#include "harness/observe/trace.hpp"

namespace splitproof::dialect::responses_answer_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces

using Events = std::vector<std::string>;

ResponsesAnswer answer(const Events& events) {
  std::string body;
  for (const std::string& event : events) body += "data: " + event + "\n\n";
  return assemble_responses_answer(read_trace(body, DataKind::json));
}

const Events kWhole = {
    R"({"type":"response.created","response":{"id":"r"}})",
    R"({"type":"response.output_item.added","item":{"id":"m","type":"message","content":[]}})",
    R"({"type":"response.output_text.delta","item_id":"m","delta":"Low "})",
    R"({"type":"response.output_text.delta","item_id":"m","delta":"tide."})",
    R"({"type":"response.output_text.done","item_id":"m","text":"Low tide."})",
    R"({"type":"response.output_item.done","item":{"id":"m","type":"message","content":[{"type":"output_text","text":"Low tide."}]}})",
    R"({"type":"response.output_item.added","item":{"id":"f","type":"function_call","call_id":"c","name":"go","arguments":""}})",
    R"({"type":"response.function_call_arguments.delta","item_id":"f","delta":"{}"})",
    R"({"type":"response.function_call_arguments.done","item_id":"f","arguments":"{}"})",
    R"({"type":"response.output_item.done","item":{"id":"f","type":"function_call","call_id":"c","name":"go","arguments":"{}"}})",
    R"({"type":"response.completed","response":{"id":"r","output":[{"id":"m","type":"message","content":[{"type":"output_text","text":"Low tide."}]},{"id":"f","type":"function_call","call_id":"c","name":"go","arguments":"{}"}],"usage":{"input_tokens":3,"output_tokens":4}}})"};

TEST(ResponsesAnswer, IsSaidFourTimes) {
  const ResponsesAnswer whole = answer(kWhole);
  const std::vector<ResponsesItem> items = {
      {.type = "message", .text = "Low tide.", .id = "m"},
      {.type = "function_call", .call_id = "c", .name = "go", .arguments = "{}", .id = "f"}};
  EXPECT_EQ(whole.streamed, items);
  EXPECT_EQ(whole.closed, items);
  EXPECT_EQ(whole.done, items);
  EXPECT_EQ(whole.repeated, items);
  EXPECT_EQ(whole.ending, "response.completed");
  EXPECT_EQ(whole.input_tokens, 3);
  EXPECT_EQ(whole.output_tokens, 4);
  EXPECT_EQ(whole.refused, 0u);
}

// Every event except the first contributes to the answer.
TEST(ResponsesAnswer, ChangesWithEveryEventThatIsMissing) {
  for (std::size_t i = 1; i < kWhole.size(); ++i) {
    Events events = kWhole;
    events.erase(events.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_NE(answer(events), answer(kWhole)) << kWhole[i];
  }
}

TEST(ResponsesAnswer, RefusesWhatBelongsToNoItemAndWhatComesBehindTheEnd) {
  EXPECT_EQ(answer({R"({"type":"response.output_text.delta","item_id":"x","delta":"?"})"}).refused, 1u);
  EXPECT_EQ(answer({R"({"type":"response.output_item.done","item":{"id":"x","type":"message"}})"}).refused,
            1u);
  EXPECT_EQ(answer({"{", "{}"}).refused, 2u);
  Events late = kWhole;
  late.push_back(kWhole[2]);
  EXPECT_EQ(answer(late).refused, 1u);
  EXPECT_EQ(answer(late).streamed, answer(kWhole).streamed);
}

TEST(ResponsesAnswer, SaysWhyItIsIncompleteAndThatItFailed) {
  const ResponsesAnswer cut = answer(
      {R"({"type":"response.incomplete","response":{"incomplete_details":{"reason":"max_output_tokens"}}})"});
  EXPECT_EQ(cut.ending, "response.incomplete");
  EXPECT_EQ(cut.reason, "max_output_tokens");
  EXPECT_EQ(answer({R"({"type":"error","message":"No."})"}).ending, "error");
  EXPECT_EQ(answer({kWhole[0]}).ending, std::nullopt);
}

TEST(ResponsesAnswer, PassesOverWhatItDoesNotKnow) {
  Events more = kWhole;
  more.insert(more.begin() + 1, R"({"type":"response.in_progress","response":{}})");
  more.insert(more.begin() + 4, R"({"type":"response.new_thing.delta","item_id":"x","delta":"?"})");
  EXPECT_EQ(answer(more), answer(kWhole));
}

}  // namespace
}  // namespace splitproof::dialect::responses_answer_test
