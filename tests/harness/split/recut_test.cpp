#include "harness/split/recut.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/dialect/openai_chat/chat_rechunker.hpp"
#include "tests/harness/split/recut_pieces.hpp"
#include "tests/planned.hpp"

namespace splitproof::split::recut_test {
namespace {

using Json = nlohmann::json;

Result<Recut> recut(std::string_view body, std::string_view label) {
  return split::recut(dialect::chat_dealer(), body, label);
}

std::vector<std::string> planned_recuts(std::string_view body, std::size_t random, bool sweep,
                                        std::uint64_t seed) {
  return split::planned_recuts(dialect::chat_dealer(), body, random, sweep, seed);
}

std::string chunk(const std::string& delta, const std::string& finish = "null") {
  return R"(data: {"id":"c1","model":"m","choices":[{"index":0,"delta":)" + delta + R"(,"finish_reason":)" +
         finish + "}]}\n\n";
}

std::string text_body(const std::vector<std::string>& json_strings) {
  std::string body = chunk(R"({"role":"assistant","content":""})");
  for (const std::string& text : json_strings) body += chunk(R"({"content":")" + text + "\"}");
  return body + chunk("{}", "\"stop\"") + "data: [DONE]\n\n";
}

std::string call_body(const std::string& arguments) {
  return chunk(R"({"role":"assistant","content":null})") +
         chunk(
             R"({"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":""}}]})") +
         chunk(R"({"tool_calls":[{"index":0,"function":{"arguments":)" + Json(arguments).dump() + "}}]}") +
         chunk("{}", "\"tool_calls\"") + "data: [DONE]\n\n";
}

std::vector<std::string> recut_pieces(const std::string& body, const std::string& label,
                                      const std::string& key = "content") {
  const auto made = recut(body, label);
  if (!made) return {describe(made.error())};
  return pieces(made->body, key);
}

using Texts = std::vector<std::string>;

TEST(Recut, TextIsJoinedAndCutAtThePlacesOfTheLabel) {
  const std::string body = text_body({"Hi ", "<b>", "you"});
  EXPECT_EQ(recut_pieces(body, "whole"), (Texts{"Hi <b>you"}));
  EXPECT_EQ(recut_pieces(body, "char"), (Texts{"H", "i", " ", "<", "b", ">", "y", "o", "u"}));
  EXPECT_EQ(recut_pieces(body, "cut:1"), (Texts{"H", "i <b>you"}));
  EXPECT_EQ(recut_pieces(body, "cut:8"), (Texts{"Hi <b>yo", "u"}));
  EXPECT_EQ(recut_pieces(body, "seam:markup"), (Texts{"Hi <", "b", ">you"}));
  EXPECT_EQ(recut_pieces(body, "seam:markup:1"), (Texts{"Hi <b", ">you"}));
  EXPECT_EQ(recut_pieces(body, "seam:space"), (Texts{"Hi", " ", "<b>you"}));
  EXPECT_EQ(recut_pieces(body, "seam:word"), (Texts{"H", "i <b>y", "ou"}));
}

TEST(Recut, CutsALongTextInBoundedManyPlaces) {
  std::string text;
  while (text.size() < 3 * kMaxCuts) text += "lorem ipsum ";
  const std::string body = text_body({text});
  for (const std::string label :
       {"char", "seam:word", "random:0:seed1", "random:1:seed1", "random:2:seed1"}) {
    const Texts made = recut_pieces(body, label);
    EXPECT_LE(made.size(), kMaxCuts + 1) << label;
    std::string joined;
    for (const std::string& piece : made) joined += piece;
    EXPECT_EQ(joined, text) << label;
  }
  EXPECT_EQ(recut_pieces(body, "char").size(), kMaxCuts);
}

TEST(Recut, CutsBetweenTheHalvesOfACharacter) {
  const std::string body = text_body({"a\xF0\x9F\x98\x80z"});
  const auto made = recut(body, "seam:halves");
  ASSERT_TRUE(made);
  EXPECT_NE(made->body.find(R"("content":"a\ud83d"})"), std::string::npos) << made->body;
  EXPECT_NE(made->body.find(R"("content":"\ude00z"})"), std::string::npos) << made->body;
  EXPECT_EQ(recut_pieces(body, "char"), (Texts{"a", "\xF0\x9F\x98\x80", "z"}));
}

TEST(Recut, CutsInsideAGraphemeCluster) {
  const std::string family = "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA9";
  EXPECT_EQ(recut_pieces(text_body({"e\xCC\x81" + family}), "seam:cluster"),
            (Texts{"e", "\xCC\x81\xF0\x9F\x91\xA9", "\xE2\x80\x8D", "\xF0\x9F\x91\xA9"}));
}

TEST(Recut, CutsArgumentsAtTheirOwnSeams) {
  const std::string body = call_body(R"({"k":[-12,true,"\n"]})");
  const auto seam = [&](const std::string& kind) {
    return recut_pieces(body, "seam:json-" + kind, "arguments");
  };
  EXPECT_EQ(seam("key"), (Texts{R"({")", "k", R"(":[-12,true,"\n"]})"}));
  EXPECT_EQ(seam("number"), (Texts{R"({"k":[-)", "1", R"(2,true,"\n"]})"}));
  EXPECT_EQ(seam("literal"), (Texts{R"({"k":[-12,t)", "r", "u", R"(e,"\n"]})"}));
  EXPECT_EQ(seam("escape"), (Texts{R"({"k":[-12,true,"\)", R"(n"]})"}));
  EXPECT_EQ(recut_pieces(call_body(R"(["\ud83d\ude00"])"), "seam:json-pair", "arguments"),
            (Texts{R"(["\ud83d)", R"(\ude00"])"}));
}

TEST(Recut, DealsTheFieldsOfACall) {
  const std::string body = call_body(R"({"a":1})");
  const auto elements = [&](const std::string& label) {
    Texts all;
    const auto made = recut(body, label);
    if (!made) return Texts{describe(made.error())};
    for (const std::string& data : data_lines(made->body)) {
      const Json parsed = Json::parse(data, nullptr, false);
      if (!parsed.is_object() || !parsed["choices"][0]["delta"].contains("tool_calls")) continue;
      all.push_back(parsed["choices"][0]["delta"]["tool_calls"].dump());
    }
    return all;
  };
  EXPECT_EQ(
      elements("call:ina"),
      (Texts{
          R"([{"function":{"arguments":"{\"a\":1}","name":"f"},"id":"call_1","index":0,"type":"function"}])"}));
  EXPECT_EQ(elements("call:a.n.i"),
            (Texts{R"([{"function":{"arguments":"{\"a\":1}"},"index":0,"type":"function"}])",
                   R"([{"function":{"name":"f"},"index":0}])", R"([{"id":"call_1","index":0}])"}));
  EXPECT_EQ(elements("call:in.a.a:null"),
            (Texts{R"([{"function":{"name":"f"},"id":"call_1","index":0,"type":"function"}])",
                   R"([{"function":{"arguments":"{\"a","name":null},"id":null,"index":0}])",
                   R"([{"function":{"arguments":"\":1}","name":null},"id":null,"index":0}])"}));
}

/// Returns a letter for the content of each event, separated by spaces. R is a role, T text, F a finish, U usage, D
/// done. S and A are the start and the arguments of a call, with its index.
std::string shape(const std::string& body) {
  std::string all;
  for (const std::string& data : data_lines(body)) {
    if (!all.empty()) all += ' ';
    const Json event = Json::parse(data, nullptr, false);
    if (event.is_discarded()) {
      all += 'D';
      continue;
    }
    for (const Json& choice : event["choices"]) {
      const Json& delta = choice["delta"];
      if (delta.contains("role")) all += 'R';
      if (delta.value("content", "") != "") all += 'T';
      for (const Json& call : delta.value("tool_calls", Json::array())) {
        const std::string index = call["index"].dump();
        if (call.contains("id")) all += "S" + index;
        if (call["function"].value("arguments", "") != "") all += "A" + index;
      }
      if (choice["finish_reason"].is_string()) all += 'F';
    }
    if (event.contains("usage")) all += 'U';
  }
  return all;
}

std::string recut_shape(const std::string& body, const std::string& label) {
  const auto made = recut(body, label);
  return made ? shape(made->body) : describe(made.error());
}

const std::string kUsage =
    "data: {\"id\":\"c1\",\"model\":\"m\",\"choices\":[],\"usage\":{\"total_tokens\":3}}\n\n";
const std::string kDone = "data: [DONE]\n\n";

TEST(Recut, PiecesThatShareAnEventArePacked) {
  const std::string apart = chunk(R"({"role":"assistant","content":""})") + chunk(R"({"content":"a"})") +
                            chunk(R"({"content":"b"})") + chunk("{}", "\"stop\"") + kUsage + kDone;
  ASSERT_EQ(shape(apart), "R T T F U D");
  EXPECT_EQ(recut_shape(apart, "finish:fused"), "R T TF U D");
  EXPECT_EQ(recut_shape(apart, "finish:repeated"), "R T T F F U D");
  EXPECT_EQ(recut_shape(apart, "usage:with-finish"), "R T T FU D");
  EXPECT_EQ(recut_shape(apart, "usage:before"), "R T T U F D");
  EXPECT_EQ(recut_shape(apart, "role:fused"), "RT T F U D");
  EXPECT_EQ(recut_shape(apart, "role:never"), "T T F U D");

  std::string together = chunk(R"({"role":"assistant","content":"a"})", "\"stop\"");
  together.replace(together.find("]}\n"), 2, R"(],"usage":{"total_tokens":3}})");
  together += kDone;
  ASSERT_EQ(shape(together), "RTFU D");
  EXPECT_EQ(recut_shape(together, "finish:alone"), "RT FU D");
  EXPECT_EQ(recut_shape(together, "usage:after"), "RTF U D");
  EXPECT_EQ(recut_shape(together, "usage:before"), "U RTF D");
  EXPECT_EQ(recut_shape(together, "role:first-alone"), "R TFU D");
}

TEST(Recut, PacksParallelCalls) {
  const auto start = [](const std::string& index) {
    return chunk(R"({"tool_calls":[{"index":)" + index + R"(,"id":"c)" + index +
                 R"(","function":{"name":"f","arguments":"{\"a"}}]})");
  };
  const auto more = [](const std::string& index) {
    return chunk(R"({"tool_calls":[{"index":)" + index + R"(,"function":{"arguments":"\":1}"}}]})");
  };
  const std::string body =
      start("0") + more("0") + start("3") + more("3") + start("4") + chunk("{}", "\"tool_calls\"") + kDone;
  ASSERT_EQ(shape(body), "S0A0 A0 S3A3 A3 S4A4 F D");
  EXPECT_EQ(recut_shape(body, "tools:one-chunk"), "S0A0S3A3S4A4 A0 A3 F D");
  EXPECT_EQ(recut_shape(body, "tools:interleaved"), "S0 S3 A0 A3 A0 A3 A0 A3 S4A4 F D");
  const std::string text_within = start("0") + more("0") + chunk(R"({"content":"x"})") + start("1");
  EXPECT_FALSE(recut(text_within, "tools:one-chunk"));
  EXPECT_FALSE(recut(text_within, "tools:interleaved"));
  const std::string odd_within = start("0") + more("0") + "data: {}\n\n" + start("1");
  EXPECT_FALSE(recut(odd_within, "tools:one-chunk"));
  EXPECT_FALSE(recut(odd_within, "tools:interleaved"));
}

TEST(Recut, RepeatedOrLateUsageIsNotMoved) {
  const std::string finish = chunk(R"({"content":"a"})") + chunk("{}", "\"stop\"");
  for (const std::string& body :
       {finish + kUsage + kUsage + kDone, finish + kDone + kUsage, kUsage + kUsage + finish}) {
    for (const char* label : {"usage:with-finish", "usage:before", "usage:after"})
      EXPECT_FALSE(recut(body, label));
  }
}

TEST(Recut, MovesNoTextPastAUsage) {
  std::string counted = chunk(R"({"content":"a"})");
  counted.replace(counted.find("]}\n"), 2, R"(],"usage":{"total_tokens":3}})");
  const std::string body = chunk(R"({"content":"x"})") + counted + chunk(R"({"content":"b"})") + kDone;
  EXPECT_EQ(recut_pieces(body, "whole"), (Texts{"xa", "b"}));
  EXPECT_FALSE(recut(kUsage + chunk(R"({"content":"a"})") + chunk("{}", "\"stop\"") + kDone, "usage:before"));
}

TEST(Recut, EmptiedEventIsDroppedOnlyIfNothingElseIsInIt) {
  const auto with = [](const std::string& members, const std::string& in_choice,
                       const std::string& in_delta) {
    return "data: {\"model\":\"m\"," + members + R"("choices":[{)" + in_choice + R"("delta":{)" + in_delta +
           "\"content\":\"b\"}}]}\n\n";
  };
  const std::string first = chunk(R"({"content":"a"})");
  const auto events = [&](const std::string& second) {
    const auto made = recut(first + second, "whole");
    return made ? made->arrivals.size() : 0;
  };
  EXPECT_EQ(events(with("", "", "")), 1U);
  EXPECT_EQ(events(with(R"("p":"xyz",)", R"("seed":1,)", R"("channel":"final",)")), 1U);
  EXPECT_EQ(events(with(R"("citations":["x"],)", "", "")), 2U);
  EXPECT_EQ(events(with("", R"("logprobs":{"content":[1]},)", "")), 2U);
  EXPECT_EQ(events(with("", "", R"("role":"assistant",)")), 2U);

  const std::string other_model =
      "data: {\"model\":\"other\",\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}\n\n";
  const auto made = recut(other_model + first, "role:fused");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->arrivals.size(), 2U) << made->body;
}

TEST(Recut, PlaceOfContinuedArgumentsIsKnown) {
  const auto piece = [](const std::string& arguments) {
    return chunk(R"({"tool_calls":[{"index":0,"id":"c0","function":{"name":"f","arguments":)" +
                 Json(arguments).dump() + "}}]}");
  };
  const std::string body = piece(R"({"k)") + kUsage + piece(R"(y":"z"})");
  EXPECT_EQ(recut_pieces(body, "seam:json-key", "arguments"), (Texts{R"({")", "k", "y", R"(":"z"})"}));
}

TEST(Recut, UnchangedEventsKeepTheirBytes) {
  const std::string spaced = "data: {\"choices\" : [ {\"delta\" : {\"content\": \"abc\"}} ]}\n\n";
  EXPECT_FALSE(recut(spaced + spaced, "cut:3"));
  const auto made = recut(spaced + spaced, "seam:word");
  ASSERT_FALSE(made) << "abcabc is one word, whose middle is where it was cut before";
}

TEST(Recut, LeavesCallsAloneThatCouldBeTakenForOthers) {
  const std::string first =
      R"({"tool_calls":[{"index":0,"id":"c0","function":{"name":"f","arguments":"{}"}}]})";
  const std::string nameless = R"({"tool_calls":[{"index":1,"id":"c1","function":{"arguments":"{}"}}]})";
  const std::string idless = R"({"tool_calls":[{"index":1,"function":{"name":"g","arguments":"{}"}}]})";
  const std::string same_index =
      R"({"tool_calls":[{"index":0,"id":"c1","function":{"name":"g","arguments":"{}"}}]})";
  const std::string unindexed = R"({"tool_calls":[{"id":"c1","function":{"name":"g","arguments":"{}"}}]})";
  const std::string same_function =
      R"({"tool_calls":[{"index":0,"id":"c1","function":{"name":"f","arguments":"{}"}}]})";
  const std::string other_function =
      R"({"tool_calls":[{"index":0,"function":{"name":"g","arguments":"{}"}}]})";
  for (const std::string& second : {nameless, idless, same_index, unindexed, same_function, other_function}) {
    const auto made = recut(chunk(first) + chunk(second), "call:a.n.i");
    ASSERT_TRUE(made);
    EXPECT_TRUE(made->body.ends_with(chunk(second))) << made->body;
    EXPECT_EQ(made->arrivals.size(), 4U);
  }
  const std::string indexed_later = R"({"tool_calls":[{"index":0,"id":"c1","function":{"arguments":"{}"}}]})";
  EXPECT_FALSE(recut(chunk(unindexed) + chunk(same_index), "call:a.n.i"));
  for (const std::string& second : {unindexed, indexed_later})
    EXPECT_FALSE(recut(chunk(unindexed) + chunk(second), "whole")) << second;
}

TEST(Recut, UntouchedEventsKeepTheirBytes) {
  const std::string before = ": keep-alive\r\n\r\n";
  const std::string odd = "data:  {\"choices\" : [ {\"index\":0,\"delta\":{\"content\":[]}}]}\r\n\r\n";
  const std::string one = "data:{\"choices\":[{\"delta\":{\"content\":\"one\"}}],\"x\":1}\r\n\r\n";
  const std::string two = "data:{\"choices\":[{\"delta\":{\"content\":\"two\"}}]}\r\n\r\n";
  const std::string tail = "data: {\"cho";
  EXPECT_EQ(
      recut(before + one + two + odd + two + tail, "whole").map([](const Recut& made) { return made.body; }),
      Result<std::string>(before +
                          "data:{\"choices\":[{\"delta\":{\"content\":\"onetwo\"}}],\"x\":1}\r\n\r\n" + odd +
                          two + tail));
}

TEST(Recut, FinishComesAfterTheLastPiece) {
  const std::string body = chunk(R"({"role":"assistant","content":"ab"})", "\"stop\"") + "data: [DONE]\n\n";
  const auto made = recut(body, "char");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->body, chunk(R"({"role":"assistant","content":"a"})") +
                            chunk(R"({"content":"b"})", "\"stop\"") + "data: [DONE]\n\n");
}

TEST(Recut, NeverMovesTextAcrossAnotherPart) {
  const std::string body = chunk(R"({"content":"a"})") + chunk(R"({"reasoning":"b"})") +
                           chunk(R"({"content":"c"})") + "data: {\"error\":{\"message\":\"x\"}}\n\n" +
                           chunk(R"({"content":"d"})") + chunk("{}", "\"stop\"") +
                           chunk(R"({"content":"e"})") + chunk(R"({"content":"f"})") + "data: [DONE]\n\n";
  EXPECT_FALSE(recut(body, "whole"));
}

TEST(Recut, RefusesLabelsThatNameNothingOrInAnotherForm) {
  const std::string body = text_body({"abc"});
  for (const std::string label : {"",
                                  "Whole",
                                  "whole:",
                                  "char ",
                                  "cut:",
                                  "cut:01",
                                  "cut:x",
                                  "cut:1:2",
                                  "cut:-1",
                                  "seam:",
                                  "seam:none",
                                  "seam:word:",
                                  "seam:word:00",
                                  "seam:word:1x",
                                  "random:1",
                                  "random:1:seed",
                                  "random:01:seed1",
                                  "random:1:seed1x",
                                  "random:1:seed18446744073709551616",
                                  "call:",
                                  "call:ni.a",
                                  "call:in",
                                  "call:in.a:null",
                                  "finish:",
                                  "finish",
                                  "usage:never",
                                  "tools:",
                                  "role:x"}) {
    const auto made = recut(body, label);
    ASSERT_FALSE(made) << label;
    EXPECT_EQ(made.error().what, "'" + label + "' names no recut");
  }
}

TEST(Recut, MissingRecutIsReported) {
  const std::string body = text_body({"a", "b"});
  for (const std::string label :
       {"char", "cut:0", "cut:2", "cut:99", "seam:json-key", "seam:markup:7", "call:ina", "finish:alone",
        "usage:after", "role:first-alone", "tools:one-chunk"}) {
    const auto made = recut(body, label);
    ASSERT_FALSE(made) << label;
    EXPECT_EQ(made.error().what, "this body has no recut " + label);
  }
  for (const std::string_view bare :
       {"", "\n", "data: [DONE]\n\n", "data: {\"choices\":[]}\n\n", "data: x", "x\ry"}) {
    EXPECT_TRUE(planned_recuts(bare, 3, true, 1).empty()) << bare;
  }
}

}  // namespace
}  // namespace splitproof::split::recut_test
