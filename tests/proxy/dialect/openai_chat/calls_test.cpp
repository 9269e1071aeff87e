#include "proxy/dialect/openai_chat/calls.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace splitproof::proxy::dialect::openai_chat::calls_test {
namespace {

struct Piece {
  std::optional<std::uint64_t> index;
  std::string id, name, arguments;
  std::size_t place = 0;
};

std::vector<std::size_t> matched(const std::vector<Piece>& pieces,
                                 SameIndexNewId rule = SameIndexNewId::new_call) {
  ChatCalls calls;
  std::vector<std::size_t> found;
  for (const Piece& piece : pieces) {
    const ChatCallMark mark{piece.index, piece.id, piece.name, piece.arguments};
    found.push_back(calls.match(mark, piece.place, rule));
    calls.take_arguments(found.back(), mark);
  }
  return found;
}

struct Row {
  const char* what;
  std::vector<Piece> pieces;
  std::vector<std::size_t> calls;
};

constexpr std::nullopt_t kNone = std::nullopt;

TEST(ChatCalls, PiecesFindTheirCall) {
  const std::vector<Row> table = {
      {"by index",
       {{0, "a", "f", "{"}, {1, "b", "g", "{"}, {0, "", "", "}"}, {1, "", "", "}"}},
       {0, 1, 0, 1}},
      {"id and name on every piece", {{0, "a", "f", "{"}, {0, "a", "f", "}"}, {0, "a", "f", ""}}, {0, 0, 0}},
      {"fields one by one", {{0, "", "f", ""}, {0, "a", "", ""}, {0, "", "", "{}"}}, {0, 0, 0}},
      {"another id at an index", {{0, "a", "f", "{}"}, {0, "b", "f", "{}"}, {0, "", "", " "}}, {0, 1, 1}},
      {"two ids at one index alternate",
       {{0, "a", "f", "{"}, {0, "b", "f", "{"}, {0, "a", "", "}"}, {0, "b", "", "}"}},
       {0, 1, 0, 1}},
      {"the same id at two indices", {{0, "a", "f", "{}"}, {1, "a", "g", "{}"}}, {0, 1}},
      {"another name on a complete call", {{0, "", "f", "{}"}, {0, "", "g", "{}"}}, {0, 1}},
      {"another name on an unfinished call changes nothing", {{0, "", "f", "{"}, {0, "", "g", "}"}}, {0, 0}},
      {"another name under the same id changes nothing", {{0, "a", "f", "{}"}, {0, "a", "g", ""}}, {0, 0}},
      {"no index: by id",
       {{kNone, "a", "f", "{"}, {kNone, "b", "g", "{"}, {kNone, "a", "", "}"}, {kNone, "b", "", "}"}},
       {0, 1, 0, 1}},
      {"no index, no id: by place",
       {{kNone, "a", "f", "{", 0},
        {kNone, "b", "g", "{", 1},
        {kNone, "", "", "}", 0},
        {kNone, "", "", "}", 1}},
       {0, 1, 0, 1}},
      {"no index, no id: the last call at the place",
       {{kNone, "a", "f", "{"}, {kNone, "b", "g", "{"}, {kNone, "", "", "}"}},
       {0, 1, 1}},
      {"no index, no id, named again when complete",
       {{kNone, "", "f", "{}"}, {kNone, "", "f", "{}"}},
       {0, 1}},
      {"no index, no id, name on every piece", {{kNone, "", "f", "{"}, {kNone, "", "f", "}"}}, {0, 0}},
      {"no index: the id comes late", {{kNone, "", "f", "{"}, {kNone, "a", "", "}"}}, {0, 0}},
      {"the index comes late", {{kNone, "a", "f", ""}, {0, "", "", "{}"}, {0, "", "", ""}}, {0, 0, 0}},
      {"another index at the same place", {{0, "a", "f", "{}"}, {1, "", "g", "{}"}}, {0, 1}},
      {"no index, one id, two names in one delta",
       {{kNone, "x", "f", "", 0}, {kNone, "x", "g", "", 1}},
       {0, 1}},
      {"no index, one id, another name later", {{kNone, "x", "f", "{}"}, {kNone, "x", "g", ""}}, {0, 1}},
      {"two names at one index, no ids, no arguments", {{0, "", "f", ""}, {0, "", "g", ""}}, {0, 1}},
      {"a closing piece that repeats the name", {{kNone, "", "f", "{}"}, {kNone, "", "f", ""}}, {0, 0}},
      {"index from one", {{1, "a", "f", "{"}, {1, "", "", "}"}}, {0, 0}},
  };
  for (const Row& row : table) {
    SCOPED_TRACE(row.what);
    EXPECT_EQ(matched(row.pieces), row.calls);
  }
}

TEST(ChatCalls, ProfileMayHoldACallToItsIndex) {
  EXPECT_EQ(matched({{0, "a", "f", "{"}, {0, "b", "", "}"}}, SameIndexNewId::same_call),
            (std::vector<std::size_t>{0, 0}));
}

TEST(ChatCalls, RankIsTheIndexOrOtherwiseTheOrderOfArrival) {
  ChatCalls calls;
  calls.match({7, "a", "f", "{}"}, 0, SameIndexNewId::new_call);
  calls.match({std::nullopt, "b", "g", "{}"}, 0, SameIndexNewId::new_call);
  EXPECT_EQ(calls.rank(0), 7U);
  EXPECT_EQ(calls.rank(1), 1U);
}

}  // namespace
}  // namespace splitproof::proxy::dialect::openai_chat::calls_test
