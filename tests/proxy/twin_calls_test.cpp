#include "proxy/request/twin_calls.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace splitproof::request::twin_calls_test {
namespace {

// Each text is a call of that id, or after a `>` a result.
Asked asked_of(const std::vector<std::vector<std::string>>& turns) {
  Asked asked;
  for (const auto& blocks : turns) {
    Turn turn;
    for (const std::string& text : blocks) {
      if (text.starts_with(">")) {
        Result result;
        result.call = text.substr(1);
        turn.blocks.emplace_back(std::move(result));
      } else {
        Call call;
        call.id = text;
        turn.blocks.emplace_back(std::move(call));
      }
    }
    asked.turns.push_back(std::move(turn));
  }
  return asked;
}

struct Case {
  std::vector<std::vector<std::string>> turns;
  std::vector<std::vector<std::string>> apart;
};

TEST(TwinCalls, GetIdsOfTheirOwnAndTheirResultsInTheirOrder) {
  const std::vector<Case> cases = {
      {{{"a", "b"}, {">b", ">a"}}, {{"a", "b"}, {">b", ">a"}}},      // none
      {{{"a", "a"}, {">a", ">a"}}, {{"a", "a_2"}, {">a", ">a_2"}}},  // in one turn
      {{{"a"}, {">a"}, {"a"}, {">a"}, {"a"}, {">a"}}, {{"a"}, {">a"}, {"a_2"}, {">a_2"}, {"a_3"}, {">a_3"}}},
      {{{"a", "a_2", "a"}, {">a_2", ">a", ">a"}},
       {{"a", "a_2", "a_3"}, {">a_2", ">a", ">a_3"}}},     // already used
      {{{"a", "a"}, {">a"}}, {{"a", "a_2"}, {">a"}}},      // one too few
      {{{"a"}, {">a", ">b"}}, {{"a"}, {">a", ">b"}}},      // for no call
      {{{">a"}, {"a"}, {">a"}}, {{">a"}, {"a"}, {">a"}}},  // before its call
      {{{"a", "a_3", "a", "a", "a_3"}}, {{"a", "a_3", "a_2", "a_4", "a_3_2"}}},
      {{{""}, {">"}, {""}, {">"}}, {{""}, {">"}, {"_2"}, {">_2"}}},
  };
  for (const Case& each : cases) {
    Asked asked = asked_of(each.turns);
    ASSERT_TRUE(tell_calls_apart(asked));
    EXPECT_EQ(asked, asked_of(each.apart)) << testing::PrintToString(each.turns);
  }
}

TEST(TwinCalls, WithMoreResultsThanCallsAreRefused) {
  using Turns = std::vector<std::vector<std::string>>;
  for (const Turns& turns : {Turns{{"a"}, {">a", ">a"}}, Turns{{"a", "b"}, {">a", ">b"}, {"c"}, {">a"}},
                             Turns{{"a", "a"}, {">a", ">a", ">a"}}}) {
    Asked asked = asked_of(turns);
    const auto apart = tell_calls_apart(asked);
    ASSERT_FALSE(apart) << testing::PrintToString(turns);
    EXPECT_EQ(apart.error().message, "history: a call has more than one result");
  }
}

}  // namespace
}  // namespace splitproof::request::twin_calls_test
