#include "proxy/dialect/google_gemini/order.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "proxy/relay/relay.hpp"

namespace splitproof::proxy::dialect::google_gemini::order_test {
namespace {

using turn::BodyEnd;

// Relays a body byte by byte and as a whole.
std::string relayed(const std::string& body, BodyEnd end = BodyEnd::complete, turn::Rules rules = {}) {
  const auto by_chunks = [&](std::size_t size) {
    relay::Relay relay(GeminiOrder(rules), relay::Form::raw, rules.limits.event_bytes);
    std::string out;
    for (std::size_t at = 0; at < body.size(); at += size)
      relay.feed(std::string_view(body).substr(at, size), out);
    relay.finish(end, out);
    return out;
  };
  EXPECT_EQ(by_chunks(1), by_chunks(body.size() + 1));
  return by_chunks(1);
}

std::string frame(const std::string& json) { return "data: " + json + "\r\n\r\n"; }

std::string text(const std::string& more = "") {
  return frame(
      R"({ "candidates":[{"content":{"parts":[{"text":"a","thoughtSignature":"c2ln"}],"role":"model"})" +
      more + R"(,"index":0}], "n":12345678901234567890, "own":{"é":1e400}})");
}

const std::string kStop = R"(,"finishReason":"STOP")";
const std::string kCut = frame(
    R"({"error":{"code":502,"message":"the upstream stream ended before the message did","status":"INTERNAL"}})");

TEST(GeminiOrder, LegalStreamPassesByteForByte) {
  for (const std::string& body :
       {text() + text(kStop), text(kStop) + text(), text() + ": note\r\n\r\n" + text(kStop) + text(kStop),
        frame(R"({"promptFeedback":{"blockReason":"SAFETY"}})"),
        frame(R"({"usageMetadata":{"promptTokenCount":1}})") + text(R"(,"finishReason":2)"),
        text(R"(,"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"m")"),
        frame(R"({"candidates":[{"index":1,"finishReason":"OTHER"},{"finishReason":"NEW_WORD"}]})"),
        std::string("event: x\ndata: {\"candidates\":[{\ndata: \"finishReason\":\"STOP\"}]}\n\n")}) {
    EXPECT_EQ(relayed(body), body);
    EXPECT_EQ(relayed(body, BodyEnd::closed), body + kCut) << "more may have followed the reason";
  }
}

TEST(GeminiOrder, StreamWithoutEveryReasonWasCutOff) {
  for (const std::string& body :
       {std::string(), text(), text(R"(,"finishReason":null)"), text(R"(,"finishReason":"")"),
        text(R"(,"finishReason":0)"), text(R"(,"finishReason":"FINISH_REASON_UNSPECIFIED")"),
        frame(R"({"candidates":[{"index":1,"finishReason":"STOP"},{"index":0}]})"),
        frame(R"({"promptFeedback":{"blockReason":"BLOCK_REASON_UNSPECIFIED"}})"),
        frame(R"({"promptFeedback":{"blockReason":"SAFETY"}})") + text()})
    EXPECT_EQ(relayed(body), body + kCut);
  EXPECT_EQ(relayed(text() + "data: {\"cand"), text() + kCut) << "the cut frame is dropped";
  const std::string whole = text(kStop);
  EXPECT_NE(relayed(whole, BodyEnd::reset).find("reset before the message ended"), std::string::npos);
  EXPECT_NE(relayed(whole, BodyEnd::stall).find("\"error\""), std::string::npos);
}

TEST(GeminiOrder, ClosingMarkOfAnotherProtocolIsDropped) {
  EXPECT_EQ(relayed(text(kStop) + "data: [DONE]\n\n"), text(kStop));
  EXPECT_EQ(relayed(text() + "data: [DONE]\n\n"), text() + kCut) << "it is no reason";
}

TEST(GeminiOrder, UnreadableFrameEndsInAnError) {
  for (const std::string wrong : {"[]", "7", "{", "{\"a\":\"\xff\"}"}) {
    const std::string out = relayed(text() + frame(wrong) + text(kStop));
    EXPECT_EQ(out.substr(0, text().size()), text());
    const std::string rest = out.substr(text().size());
    EXPECT_TRUE(rest.starts_with(R"(data: {"error":{"code":502,"message":")")) << rest;
    EXPECT_EQ(rest.find("candidates"), std::string::npos) << "nothing follows the error";
  }
}

TEST(GeminiOrder, ErrorOfTheProtocolPassesAndIsTheLastFrame) {
  const std::string error =
      frame(R"({"error": {"code":499,"message":"stop","status":"CANCELLED","details":[]}})");
  EXPECT_EQ(relayed(text() + error), text() + error);
  EXPECT_EQ(relayed(text() + error + text(kStop)), text() + error);
  EXPECT_EQ(relayed(error, BodyEnd::reset), error);
}

TEST(GeminiOrder, ErrorOfAnotherFormIsWrittenAgain) {
  for (const char* other : {R"({"error":"no"})", R"({"error":{"message":"no","type":"t"}})"})
    EXPECT_EQ(relayed(text() + frame(other)),
              text() + frame(R"({"error":{"code":502,"message":"no","status":"INTERNAL"}})"));
  EXPECT_EQ(relayed(R"({"error":{"code":429,"message":"no","status":"RESOURCE_EXHAUSTED"}})"),
            frame(R"({"error":{"code":429,"message":"no","status":"RESOURCE_EXHAUSTED"}})"));
}

TEST(GeminiOrder, ErrorBetweenEventsIsWrittenAgain) {
  const std::string error = "{\n  \"error\": {\n    \"code\": 499,\n    \"message\": \"no\"\n  }\n}\n";
  const std::string written = frame(R"({"error":{"code":502,"message":"no","status":"INTERNAL"}})");
  for (const std::string& body :
       {text(kStop) + error, text(kStop) + error + "\r\n" + text(kStop), text() + error})
    EXPECT_EQ(relayed(body), body.substr(0, body.find(error)) + written);
  EXPECT_EQ(relayed(text(kStop) + "{\"other\":1}\n\n"), text(kStop)) << "another object is dropped";
}

// A frame with one `functionCall`.
std::string call(const std::string& json, const std::string& more = "") {
  return frame(R"({"candidates":[{"content":{"parts":[{"functionCall":)" + json + R"(}],"role":"model"})" +
               more + "}]}");
}

const std::string kBegun = call(R"({"name":"f","willContinue":true})");
const std::string kPiece =
    call(R"({"partialArgs":[{"jsonPath":"$.a","stringValue":"b"}],"willContinue":true})");

TEST(GeminiOrder, CallInPiecesPassesByteForByteIfItEnds) {
  for (const std::string& body :
       {kBegun + kPiece + call("{}") + text(kStop), kBegun + kPiece + call("{}", kStop),
        kBegun + kPiece + text(kStop) + call("{}"), call(R"({"name":"f"})") + call("{}") + text(kStop),
        kBegun + frame(R"({"candidates":[{"index":1,"finishReason":"STOP","content":{"parts":[
data: {"functionCall":{"name":"g"}}]}}]})") +
            call("{}", kStop)})
    EXPECT_EQ(relayed(body), body);
}

TEST(GeminiOrder, CallInPiecesWithoutItsEndWasCutOff) {
  for (const std::string& body : {kBegun + text(kStop), kBegun + kPiece + text(kStop), text(kStop) + kBegun,
                                  kBegun + call("{}", kStop) + kBegun})
    EXPECT_EQ(relayed(body), body + kCut);
}

TEST(GeminiOrder, PieceWithoutItsPlaceEndsInAnError) {
  const auto failed = [](const std::string& message) {
    return frame(R"({"error":{"code":502,"message":")" + message + R"(","status":"INTERNAL"}})");
  };
  for (const char* path : {"$", "a", "$.a.b", "$.a[0]", "$.c[1]", "$["})
    EXPECT_EQ(relayed(kBegun + kPiece +
                      call(R"({"partialArgs":[{"jsonPath":")" + std::string(path) +
                           R"(","numberValue":1}],"willContinue":true})") +
                      call("{}", kStop)),
              kBegun + kPiece + failed("the upstream sent a piece of arguments that fits no place in them"))
        << path;
  EXPECT_EQ(relayed(kBegun + kPiece + kBegun + call("{}", kStop)),
            kBegun + kPiece + failed("the upstream began a tool call before it ended another one"));
}

TEST(GeminiOrder, OpenCallsOfAllCandidatesAreLimited) {
  turn::Rules rules;
  const std::string long_value(100, 'x');
  const auto of_candidate = [&](int index) {
    return frame(R"({"candidates":[{"index":)" + std::to_string(index) +
                 R"(,"content":{"parts":[{"functionCall":{"name":"f","partialArgs":[{"jsonPath":"$.a",)" +
                 R"("stringValue":")" + long_value + R"("}],"willContinue":true}}]}}]})");
  };
  rules.limits.call_bytes = 400;
  const std::string out = relayed(of_candidate(0) + of_candidate(1), BodyEnd::complete, rules);
  EXPECT_TRUE(out.starts_with(of_candidate(0))) << out;
  EXPECT_NE(out.find("larger than one message may hold"), std::string::npos) << out;
  rules.limits.call_bytes = 5000;
  const std::string both = of_candidate(0) + of_candidate(1);
  EXPECT_EQ(relayed(both, BodyEnd::complete, rules), both + kCut);
}

TEST(GeminiOrder, CandidatesAreLimited) {
  turn::Rules rules;
  rules.limits.calls = 1;
  const std::string two = frame(R"({"candidates":[{"index":0},{"index":1}]})");
  EXPECT_EQ(
      relayed(two, BodyEnd::complete, rules),
      frame(
          R"({"error":{"code":502,"message":"the upstream gives more than 1 candidates","status":"INTERNAL"}})"));
}

}  // namespace
}  // namespace splitproof::proxy::dialect::google_gemini::order_test
