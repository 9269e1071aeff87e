#include "proxy/request/retention.hpp"

#include <gtest/gtest.h>

#include "tests/proxy/request/requests.hpp"

namespace splitproof::request::retention_test {
namespace {

using namespace requests;

struct Row {
  const char* said;
  const char* kept;
};

const Row kRows[] = {
    {"", ""},
    {"Let me check.", "Let me check."},
    {"a < b, and <tool_callx> is no tag", "a < b, and <tool_callx> is no tag"},
    {R"(<tool_call>{"name":"f","input":{}}</tool_call>)", ""},
    {"Let me check.\n<tool_call> {\"name\":", "Let me check.\n"},
    {"Before.\n<tool_call>{}</tool_call>\nMiddle\n<tool_call>{}</tool_call>\nAfter.",
     "Before.\n\nMiddle\n\nAfter."},
    {"It says <tool_result>x</tool_result>, so yes", "It says , so yes"},
    {"It says <tool_result tool_call_id=\"c\">x</tool_result>, so yes", "It says , so yes"},
    {"<tool_resultset> and <tool_result> stay", "<tool_resultset> and <tool_result> stay"},
    {"<tool_result>a<tool_call></tool_result>b", "b"},
    {"<tool_call>a<tool_result></tool_call>b</tool_result>c", "b</tool_result>c"},
    {"a</tool_call>b", "a</tool_call>b"},
    {"I look. [Called tool read with input {\"x\":[1]}]\nIt is there.", "I look. \nIt is there."},
    {"[Called tool read", ""},
    {"Called tool read]", "Called tool read]"},
    {" \n prose \t\r\n", " \n prose \t\r\n"},
    {"\xE2\x86\x92 [1]", "\xE2\x86\x92 [1]"},
};

TEST(Retention, TakesWrittenCallsOutOfProse) {
  for (const Row& row : kRows) EXPECT_EQ(without_written_calls(row.said), row.kept) << row.said;
}

// The result contains nothing to remove: a second cleaning changes nothing, for any combination.
TEST(Retention, CleansOnce) {
  std::size_t tried = 0;
  for (const Row& one : kRows) {
    for (const Row& two : kRows) {
      const std::string once = without_written_calls(std::string(one.said) + " " + two.said);
      const std::string open = "<tool_call>";
      if (once.find(open) != std::string::npos) ADD_FAILURE() << once;
      EXPECT_EQ(without_written_calls(once), once) << one.said << two.said;
      ++tried;
    }
  }
  EXPECT_EQ(tried, std::size(kRows) * std::size(kRows));
}

TranslatorOptions structured(std::string_view upstream) {
  TranslatorOptions options = between("anthropic.messages", upstream);
  options.request.retention = Retention::structured;
  return options;
}

TEST(Retention, CallsAndResultsStayAndOnlyTheAssistantIsCleaned) {
  json request = messages({{"tools", tools({"read"})}});
  request["messages"] = json::parse(R"([
      {"role":"user","content":"<tool_call>mine</tool_call>"},
      {"role":"assistant","content":[{"type":"text","text":"I look.\n<tool_call>{}</tool_call>"},
        {"type":"text","text":"<tool_call>{"},{"type":"tool_use","id":"c1","name":"read","input":{"a":"<tool_call>"}}]},
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"<tool_call>x</tool_call>"}]},
      {"role":"assistant","content":"<tool_call>{}</tool_call>"},
      {"role":"user","content":"b"},
      {"role":"assistant","content":"."},
      {"role":"user","content":"c"}])");
  const json asked = asked_of(structured("anthropic.messages"), request);
  EXPECT_EQ(asked["messages"], json::parse(R"([
      {"role":"user","content":[{"type":"text","text":"<tool_call>mine</tool_call>"}]},
      {"role":"assistant","content":[{"type":"text","text":"I look."},
        {"type":"tool_use","id":"c1","name":"read","input":{"a":"<tool_call>"}}]},
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[
        {"type":"text","text":"<tool_call>x</tool_call>"}]}]},
      {"role":"user","content":[{"type":"text","text":"b"}]},
      {"role":"user","content":[{"type":"text","text":"c"}]}])"));
  EXPECT_EQ(body_of(structured("openai.chat"), request.dump()).find("Continue"), std::string::npos);
}

TEST(Retention, WhiteSpaceGoesAroundWhatIsLeftAndStaysWithinIt) {
  const auto kept = [](const char* texts) {
    json request = messages({{"tools", tools({"read"})}});
    json blocks = json::array();
    for (const json& text : json::parse(texts)) blocks.push_back({{"type", "text"}, {"text", text}});
    request["messages"] = {{{"role", "user"}, {"content", "a"}},
                           {{"role", "assistant"}, {"content", blocks}},
                           {{"role", "user"}, {"content", "b"}}};
    const json asked = asked_of(structured("openai.responses"), request)["input"];
    std::vector<std::string> said;
    if (asked.size() < 3) return said;
    for (const json& part : asked[1]["content"]) said.push_back(part["text"]);
    return said;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(kept(R"([" Well, ","\nyes. "])"), (Texts{" Well, ", "\nyes. "}));
  EXPECT_EQ(kept(R"([" \n a ","<tool_call>{}</tool_call>"," b\n"])"), (Texts{"a ", " b"}));
  EXPECT_EQ(kept(R"(["a","<tool_call>{}</tool_call> ","\n"])"), (Texts{"a"}));
  EXPECT_EQ(kept(R"([" ","\n","<tool_call>"])"), Texts());
}

TEST(Retention, EscapesOfTheClientStay) {
  const std::string request =
      R"({"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a"},)"
      R"({"role":"assistant","content":"\u00e9\/\ud83d"},{"role":"user","content":"b"}]})";
  EXPECT_EQ(body_of(structured("openai.chat"), request),
            body_of(between("anthropic.messages", "openai.chat"), request));
}

}  // namespace
}  // namespace splitproof::request::retention_test
