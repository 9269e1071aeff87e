#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/dialect/openai_chat/calls.hpp"
#include "harness/dialect/openai_chat/reading.hpp"
#include "tests/harness/dialect/chat_stream.hpp"

namespace splitproof::dialect::chat_calls_test {
namespace {

using namespace observe;  // NOLINT: the words of answers and traces

/// Returns the calls of these pieces, one in each chunk. `@A` is replaced by arguments that are a whole object.
std::string calls(const std::vector<std::string>& pieces, SameIndexNewId rule = SameIndexNewId::new_call) {
  std::string body;
  for (std::string piece : pieces) {
    for (std::size_t at; (at = piece.find("@A")) != piece.npos;) {
      piece.replace(at, 2, R"("arguments":"{}")");
    }
    body += call(piece);
  }
  return in_short(read_chat(body, rule));
}

TEST(ChatCalls, BelongToTheirIndex) {
  EXPECT_EQ(calls({R"({"index":0,"id":"a","function":{"name":"f","arguments":"{\"x"}})",
                   R"({"index":1,"id":"b","function":{"name":"g","arguments":"{\"y"}})",
                   R"({"index":0,"function":{"arguments":"\":1}"}})",
                   R"({"index":1,"function":{"arguments":"\":2}"}})"}),
            R"(call[a|f|{"x":1}] call[b|g|{"y":2}])");
}

TEST(ChatCalls, WithoutIndexBelongToTheirId) {
  EXPECT_EQ(calls({R"({"id":"a","function":{"name":"f","arguments":"{\"x"}})",
                   R"({"id":"b","function":{"name":"g","arguments":"{\"y"}})",
                   R"({"id":"a","function":{"arguments":"\":1}"}})",
                   R"({"id":"b","function":{"arguments":"\":2}"}})"}),
            R"(call[a|f|{"x":1}] call[b|g|{"y":2}])");
}

TEST(ChatCalls, WithoutIndexAndIdBelongToTheirPlace) {
  EXPECT_EQ(calls({R"({"id":"a","function":{"name":"f","arguments":"{\"x"}},)"
                   R"({"id":"b","function":{"name":"g","arguments":"{\"y"}})",
                   R"({"function":{"arguments":"\":1}"}},{"function":{"arguments":"\":2}"}})"}),
            R"(call[a|f|{"x":1}] call[b|g|{"y":2}])");
}

TEST(ChatCalls, AtThePlaceOfOneKnownByAnotherIndexOrIdAreOthers) {
  EXPECT_EQ(calls({R"({"index":0,"id":"a","function":{"name":"f","arguments":"{"}})",
                   R"({"index":1,"function":{"name":"f","arguments":"{}"}})"}),
            "call[a|f|{] call[|f|{}]");
  EXPECT_EQ(calls({R"({"id":"a","function":{"name":"f","arguments":"{"}})",
                   R"({"id":"b","function":{"name":"f","arguments":"{}"}})"}),
            "call[a|f|{] call[b|f|{}]");
}

TEST(ChatCalls, OfOneIdUnderTwoIndicesAreTwo) {
  EXPECT_EQ(calls({R"({"index":0,"id":"a","function":{"name":"f",@A}})",
                   R"({"index":1,"id":"a","function":{"name":"f",@A}})"}),
            "call[a|f|{}] call[a|f|{}]");
}

TEST(ChatCalls, TakeAnIndexThatComesLater) {
  EXPECT_EQ(calls({R"({"id":"a","function":{"name":"f","arguments":"{"}})",
                   R"({"index":3,"id":"a","function":{"arguments":"}"}})"}),
            "call[a|f|{}]");
  EXPECT_EQ(
      calls({R"({"function":{"name":"f","arguments":"{"}})", R"({"index":3,"function":{"arguments":"}"}})"}),
      "call[|f|{}]");
  EXPECT_EQ(calls({R"({"function":{"name":"f","arguments":"{"}})", R"({"index":3,"function":{}})",
                   R"({"index":4,"function":{"arguments":"}"}})"}),
            "call[|f|{] call[||}]")
      << "and are known by it from then on";
}

TEST(ChatCalls, OfASecondIdUnderOneIndexAreOthersUnlessTheKnobSaysNo) {
  const std::vector<std::string> pieces = {R"({"index":0,"id":"a","function":{"name":"f","arguments":"{"}})",
                                           R"({"index":0,"id":"b","function":{"arguments":"}"}})"};
  EXPECT_EQ(calls(pieces), "call[a|f|{] call[b||}]");
  EXPECT_EQ(calls(pieces, SameIndexNewId::same_call), "call[a|f|{}]");
}

TEST(ChatCalls, OfASecondIdMayGoBackToTheFirst) {
  EXPECT_EQ(calls({R"({"index":0,"id":"a","function":{"name":"f","arguments":"{"}})",
                   R"({"index":0,"id":"b","function":{"name":"g","arguments":"{"}})",
                   R"({"index":0,"id":"a","function":{"arguments":"}"}})",
                   R"({"index":0,"function":{"arguments":" "}})",
                   R"({"index":0,"id":"b","function":{"arguments":"}"}})"}),
            "call[a|f|{}] call[b|g|{}]");
  EXPECT_EQ(calls({R"({"index":0,"id":"a","function":{"name":"f","arguments":"{"}})",
                   R"({"index":0,"id":"b","function":{"name":"g","arguments":"{"}})",
                   R"({"index":1,"id":"a","function":{"name":"h","arguments":"{"}})",
                   R"({"index":0,"id":"a","function":{"arguments":"}"}})"}),
            "call[a|f|{}] call[b|g|{] call[a|h|{]")
      << "even if a call of another index has its id";
}

TEST(ChatCalls, OfAnotherFunctionAreOthersOnceArgumentsAreComplete) {
  EXPECT_EQ(calls({R"({"index":0,"id":"a","function":{"name":"f",@A}})",
                   R"({"index":0,"function":{"name":"g",@A}})"}),
            "call[a|f|{}] call[|g|{}]");
  EXPECT_EQ(calls({R"({"index":0,"id":"a","function":{"name":"f","arguments":"{"}})",
                   R"({"index":0,"function":{"name":"g","arguments":"}"}})"}),
            "call[a|f|{}]")
      << "incomplete";
  EXPECT_EQ(calls({R"({"index":0,"id":"a","function":{"name":"f",@A}})",
                   R"({"index":0,"id":"a","function":{"name":"g","arguments":" "}})"}),
            "call[a|f|{} ]")
      << "index and id are the same";
}

TEST(ChatCalls, OfAnotherFunctionWithoutArgumentsAndIdsAreOthers) {
  EXPECT_EQ(calls({R"({"index":0,"function":{"name":"f"}})", R"({"index":0,"function":{"name":"g"}})"}),
            "call[|f|] call[|g|]");
  EXPECT_EQ(
      calls({R"({"index":0,"id":"a","function":{"name":"f"}})", R"({"index":0,"function":{"name":"g"}})"}),
      "call[a|f|]");
}

TEST(ChatCalls, OfOneIdWithoutIndexButAnotherFunctionAreOthers) {
  EXPECT_EQ(calls({R"({"id":"a","function":{"name":"f","arguments":"{"}})",
                   R"({"id":"a","function":{"name":"g","arguments":"}"}})"}),
            "call[a|f|{] call[a|g|}]");
}

TEST(ChatCalls, OfTheSameFunctionAgainWithoutIndexAreOthersOnceComplete) {
  EXPECT_EQ(calls({R"({"function":{"name":"f",@A}})", R"({"function":{"name":"f",@A}})"}),
            "call[|f|{}] call[|f|{}]");
  EXPECT_EQ(calls({R"({"function":{"name":"f",@A}})", R"({"function":{"name":"f","arguments":" "}})"}),
            "call[|f|{} ]");
  EXPECT_EQ(
      calls({R"({"function":{"name":"f","arguments":"{"}})", R"({"function":{"name":"f","arguments":"}"}})"}),
      "call[|f|{}]");
}

// This holds for any identification of the call, and for any events between: an object twice is not JSON.
TEST(ChatCalls, KeepOnceArgumentsThatComeWholeAgain) {
  const auto piece = [](const char* sign, const std::string& arguments) {
    return std::string("{") + sign + R"("function":{"name":"f","arguments":)" +
           nlohmann::json(arguments).dump() + "}}";
  };
  const std::string whole = R"({"q":"\u00e9 }{"})";
  for (const char* sign : {R"("index":0,)", R"("id":"a",)", R"("index":0,"id":"a",)"}) {
    const std::string id = std::string(sign).find("id\":") == std::string::npos ? "" : "a";
    for (std::size_t cut = 0; cut < whole.size(); ++cut) {
      std::vector<std::string> pieces = {piece(sign, whole.substr(0, cut)), piece(sign, whole.substr(cut))};
      const std::string once = "call[" + id + "|f|" + whole + "]";
      for (int times = 0; times < 3; ++times) {
        EXPECT_EQ(calls(pieces), once) << cut << sign << times;
        pieces.push_back(piece(sign, whole));
      }
    }
    EXPECT_EQ(calls({piece(sign, "{}"), piece(sign, "{} ")}), "call[" + id + "|f|{}{} ]") << "not equal";
    EXPECT_EQ(calls({piece(sign, "{\"a\":"), piece(sign, "{}"), piece(sign, "{}")}),
              "call[" + id + "|f|{\"a\":{}{}]")
        << "not all";
    EXPECT_EQ(calls({piece(sign, "1 "), piece(sign, "1 ")}), "call[" + id + "|f|1 1 ]") << "no object";
  }
}

TEST(ChatCalls, TakeNothingForAnIndexBelowZero) {
  EXPECT_EQ(calls({R"({"index":-1,"id":"a","function":{"name":"f","arguments":"{"}})",
                   R"({"index":-1,"function":{"arguments":"}"}})"}),
            "call[a|f|{}]");
}

TEST(ChatCalls, BelowZeroAreToldApartAsWithoutIndex) {
  EXPECT_EQ(calls({R"({"index":-1,"id":"a","function":{"name":"f","arguments":"{"}})",
                   R"({"index":-1,"id":"b","function":{"name":"g","arguments":"{"}})",
                   R"({"index":-1,"id":"a","function":{"arguments":"}"}})"}),
            "call[a|f|{}] call[b|g|{]");
  EXPECT_EQ(
      calls({R"({"index":-1,"function":{"name":"f",@A}})", R"({"index":-1,"function":{"name":"f",@A}})"}),
      "call[|f|{}] call[|f|{}]");
}

TEST(ChatCalls, TakeNothingForAnIndexThatIsNoInteger) {
  EXPECT_EQ(
      calls({R"({"index":"0","id":"a","function":{"name":"f","arguments":"{"}})",
             R"({"index":1.5,"function":{"arguments":"}"}})", R"({"index":null,"id":{},"function":{}})"}),
      "call[a|f|{}]");
}

TEST(ChatCalls, OfTheOlderFormIsOneWithAPlaceOfItsOwn) {
  const std::string older = delta(R"({"function_call":{"name":"f","arguments":"{"}})") +
                            delta(R"({"function_call":{"arguments":"}"}})");
  EXPECT_EQ(in_short(read_chat(older)), "call[|f|{}]");
  EXPECT_EQ(
      in_short(read_chat(delta(R"({"function_call":{"name":"f"},"tool_calls":[{"id":"a","index":0}]})"))),
      "call[a||]");
  EXPECT_EQ(in_short(read_chat(delta(R"({"function_call":{"name":"f"},"tool_calls":[]})"))), "call[|f|]");
}

}  // namespace
}  // namespace splitproof::dialect::chat_calls_test
