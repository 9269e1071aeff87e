#include "proxy/relay/relay.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proxy/translator.hpp"

namespace splitproof::relay::relay_test {
namespace {

using turn::BodyEnd;

class ChatRelay : public testing::Test {
 protected:
  std::string relayed(std::string_view body, BodyEnd end = BodyEnd::complete) const {
    Translator translator(options_);
    std::string out;
    translator.feed(body, out);
    EXPECT_EQ(translator.over() && !translator.ended(), false);
    translator.finish(end, out);
    EXPECT_TRUE(translator.over());
    translator.feed("data: more\n\n", out);
    return out;
  }

  static std::string chunk(const std::string& content, const std::string& finish = "null") {
    return R"(data: {"choices":[{"index":0,"delta":{"content":")" + content + R"("},"finish_reason":)" +
           finish + "}]}\n\n";
  }

  static std::string error(const std::string& message, const std::string& type = "server_error") {
    return R"(data: {"error":{"message":")" + message + R"(","type":"server_error","param":null,"code":")" +
           type + "\"}}\n\n";
  }

  const std::string text_ = chunk("a");
  const std::string stop_ = chunk("", "\"stop\"");
  const std::string done_ = "data: [DONE]\n\n";
  const std::string early_ = error("the upstream stream ended before the message did");
  TranslatorOptions options_ = [] {
    TranslatorOptions options;
    options.client = proxy::dialect::find_client("openai.chat");
    return options;
  }();
};

TEST_F(ChatRelay, PassesOnWhatItDoesNotKnowAndHowItIsWritten) {
  const std::string body = "\xEF\xBB\xBF: c\r\n\r\nid: 7\nevent: ping\ndata: x\r\rfield\n\n" +
                           std::string(
                               "data:{ \"choices\" :\ndata: [ {\"delta\":{\"n\":12345678901234567890,"
                               "\"n\":1.50}}]}\n\n: c\n\n") +
                           stop_ + "retry: 5\n" + done_;
  EXPECT_EQ(relayed(body), body);
  options_.relay = Form::encode;
  EXPECT_EQ(relayed(body),
            "event: ping\ndata: x\n\n"
            "data: {\"choices\":[{\"delta\":{\"n\":12345678901234567890,\"n\":1.50}}]}\n\n" +
                stop_ + done_);
}

// The meaning of such a name is unknown, and invalid UTF-8 may hide anything.
TEST_F(ChatRelay, KeepsNamesWithoutDataAndBrokenBytesToItself) {
  const std::string rest = text_ + stop_ + done_;
  for (const char* piece :
       {"event: ping\n\n", "id: 7\nevent: ping\n\n", "id: 7\revent\r\r", "id: \xFF\n\n", ": \x8A\n",
        "event: ping\x8A"
        "data: {}\n\n"})
    EXPECT_EQ(relayed(piece + rest), rest) << piece;
  for (const char* piece : {"id: 7\n\n", "retry: 5\n\n", ": c\n"})
    EXPECT_EQ(relayed(piece + rest), piece + rest) << piece;
}

TEST_F(ChatRelay, LetsNothingLeaveBehindTheEnd) {
  EXPECT_EQ(relayed(text_ + stop_ + done_ + text_ + ": c\n\n" + done_), text_ + stop_ + done_);
  const std::string own = R"(data: {"error":{"message":"no","type":"x","code":7}})"
                          "\n\n";
  EXPECT_EQ(relayed(text_ + own + text_ + done_), text_ + own);
  EXPECT_EQ(relayed(text_ + own + done_ + text_), text_ + own + done_);
}

TEST_F(ChatRelay, EndsInAnErrorWhereTheBodyEndsTooEarly) {
  const std::string reset = error("the upstream connection was reset before the message ended");
  const std::string stall = error("the upstream went silent before the message ended");
  for (const std::string& said : {std::string(), text_, text_ + ": c\n\n"}) {
    EXPECT_EQ(relayed(said), said + early_);
    EXPECT_EQ(relayed(said + stop_.substr(0, 20)), said + early_);
    EXPECT_EQ(relayed(said + stop_, BodyEnd::closed), said + stop_ + early_);
    EXPECT_EQ(relayed(said + stop_, BodyEnd::reset), said + stop_ + reset);
    EXPECT_EQ(relayed(said + stop_, BodyEnd::stall), said + stop_ + stall);
    const std::string end = said.empty() ? error("the upstream ended the stream without an answer") : done_;
    EXPECT_EQ(relayed(said + done_, BodyEnd::stall), said + end);
  }
  options_.rules.truncation_error = turn::TruncationError::overloaded;
  EXPECT_EQ(relayed(text_), text_ + error("the upstream stream ended before the message did", "overloaded"));
}

TEST_F(ChatRelay, EndsALastEventThatLacksItsBlankLine) {
  const std::string whole = text_ + stop_;
  for (const auto& [end, added] : std::vector<std::pair<std::string, std::string>>{
           {"", "\n\n"}, {"\n", "\n"}, {"\r\n", "\n"}, {"\r", "\n\n"}, {"\nid: 7", "\n\n"}}) {
    EXPECT_EQ(relayed(whole + "data: [DONE]" + end), whole + "data: [DONE]" + end + added);
    const std::string finish = whole.substr(0, whole.size() - 2) + end;
    EXPECT_EQ(relayed(finish), finish + added + done_);
    EXPECT_EQ(relayed(finish, BodyEnd::closed), finish + added + early_);
  }
  for (const char* torn :
       {"data: [DON", "data: {\"choices\":[]", "data: {\"choices\":[]} \xE6", "event: ping\n", "da"})
    EXPECT_EQ(relayed(whole + torn), whole + done_) << torn;
  options_.relay = Form::encode;
  EXPECT_EQ(relayed(whole + "data: [DONE]"), whole + done_);
}

TEST_F(ChatRelay, AddsTheMarkToAnAnswerThatIsWholeWithoutIt) {
  EXPECT_EQ(relayed(text_ + stop_), text_ + stop_ + done_);
  EXPECT_EQ(relayed(text_ + stop_ + "data: [DONE]"), text_ + stop_ + done_);
  EXPECT_EQ(relayed(text_ + stop_.substr(0, stop_.size() - 1)), text_ + stop_ + done_);
  EXPECT_EQ(relayed(text_ + stop_ + "data: [DO"), text_ + stop_ + done_);
  EXPECT_EQ(relayed(text_ + stop_ + "data: "), text_ + stop_ + done_);
  const std::string second = R"(data: {"choices":[{"index":1,"delta":{}}]})"
                             "\n\n";
  EXPECT_EQ(relayed(second + stop_), second + stop_ + early_) << "of two choices one has no finish";
  options_.rules.terminal_signals = turn::TerminalSignals::done;
  EXPECT_EQ(relayed(text_ + stop_), text_ + stop_ + early_);
}

TEST_F(ChatRelay, TakesAMarkWithoutAFinishAsTheRulesSay) {
  EXPECT_EQ(relayed(text_ + done_), text_ + done_);
  options_.rules.done_without_finish = turn::DoneWithoutFinish::error;
  EXPECT_EQ(relayed(text_ + done_),
            text_ + error("the upstream ended the stream without saying why it stopped"));
  EXPECT_EQ(relayed(text_ + stop_ + done_), text_ + stop_ + done_);
}

TEST_F(ChatRelay, EndsInAnErrorWhereAnEventCannotBeRead) {
  options_.rules.limits.json_depth = 6;
  options_.rules.limits.calls = 2;
  options_.rules.limits.event_bytes = 200;
  for (const auto& [event, why] : std::vector<std::pair<std::string, std::string>>{
           {"data: {\"a\":\n\n", "upstream event 2 is not JSON"},
           {"data: {}\ndata: {}\n\n", "upstream event 2 is not JSON"},
           {"data: {\"a\":\"\xC3\"}\n\n", "an event of the upstream is not UTF-8"},
           {"event: \xFF\ndata: x\n\n", "an event of the upstream is not UTF-8"},
           {"data: 7\n\n", "upstream event 2 is not a JSON object"},
           {"data: {\"a\":[[[[[[]]]]]]}\n\n", "upstream event 2 nests deeper than 6 levels"},
           {"data: " + std::string(200, ' '), "upstream event 2 is larger than 200 bytes"},
           {": " + std::string(200, ' '), "upstream event 2 is larger than 200 bytes"},
           {"data: {\"choices\":[{},{},{}]}\n\n", "the upstream gives more than 2 choices"}}) {
    EXPECT_EQ(relayed(text_ + event + text_), text_ + error(why));
  }
}

// Clients would misread it as content or ignore it.
TEST_F(ChatRelay, SaysAnErrorOfAnotherFormInThatOfTheProtocol) {
  for (const char* event :
       {R"({"error":"no"})", R"({"object":"error","message":"no"})", R"({"error":{"detail":"no"}})"})
    EXPECT_EQ(relayed(text_ + "data: " + event + "\n\n" + text_), text_ + error("no")) << event;
  for (const char* choice :
       {R"({"delta":{"content":"b"},"error":"no"})", R"({"finish_reason":"error"},{"error":"no"})"}) {
    const std::string event = "data: {\"choices\":[" + std::string(choice) + "]}\n\n";
    const std::string why =
        event.find("reason") == std::string::npos ? "no" : "the upstream broke off: error";
    EXPECT_EQ(relayed(text_ + event + text_), text_ + event + error(why));
  }
  EXPECT_EQ(
      relayed("{\"error\":{\"message\":\"no\",\"code\":401}}\n\n"),
      R"(data: {"error":{"message":"no","type":"invalid_request_error","param":null,"code":"invalid_api_key"}})"
      "\n\n");
  EXPECT_EQ(relayed("{\"a\":1}\n\n"), error("the upstream reported an error"));
  EXPECT_EQ(relayed("{\"choices\":[]}\n\n"), early_) << "an answer that nobody asked for in one piece";
  EXPECT_EQ(relayed("{\"a\":"), early_);
}

TEST_F(ChatRelay, PassesOnWhatSaysNothingBehindTheEnd) {
  Translator translator(options_);
  std::string out;
  translator.feed(text_, out);
  out.clear();
  translator.feed("data: [DONE]\r\n\r", out);
  EXPECT_EQ(out, "data: [DONE]\r\n\r");
  EXPECT_TRUE(translator.ended());
  translator.feed("\n\n: c\n: d", out);
  EXPECT_EQ(out, "data: [DONE]\r\n\r\n\n: c\n");
  EXPECT_FALSE(translator.over());
  translator.feed("\n:", out);
  translator.finish(BodyEnd::complete, out);
  EXPECT_EQ(out, "data: [DONE]\r\n\r\n\n: c\n: d\n");
  EXPECT_TRUE(translator.over());
}

TEST_F(ChatRelay, KeepsASilentStreamAliveWithAComment) {
  std::string out;
  Translator(options_).write_ping(out);
  EXPECT_EQ(out, ": keep-alive\n\n");
}

}  // namespace
}  // namespace splitproof::relay::relay_test
