// Tests the choice of streams for changes: the shortest of each shape.

#include "harness/selftest/streams.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/harness/selftest/controls.hpp"

namespace splitproof::selftest::streams_test {
namespace {

Stream chat(const std::string& name, const std::vector<std::string>& pieces) {
  std::string body;
  for (const std::string& piece : pieces)
    body += "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + piece +
            "\"},\"finish_reason\":null}]}\n\n";
  return {"openai.chat", name, body + "data: [DONE]\n\n"};
}

TEST(Shape, IsNotInWordsNorInHowManyPieces) {
  EXPECT_EQ(shape_of(chat("a", {"x", "y"})), shape_of(chat("b", {"one", "two", "three"})));
  EXPECT_NE(shape_of(chat("a", {"x"})), shape_of(chat("b", {"x", "y"})));
  EXPECT_NE(shape_of(control("anthropic.messages", "plain-text")),
            shape_of(control("anthropic.messages", "plain-tool")));
}

TEST(OneOfEachShape, IsTheShortestAndOfEqualsTheFirst) {
  const std::vector<Stream> kept =
      one_of_each_shape({chat("long", {"abc", "def", "g"}), chat("alone", {"a"}), chat("short", {"a", "b"}),
                         chat("as short", {"c", "d"})});
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].name, "alone");
  EXPECT_EQ(kept[1].name, "short");
}

TEST(OneOfEachShape, KeepsProtocolsApart) {
  Stream other = chat("other", {"a"});
  other.protocol = "openai.responses";
  EXPECT_EQ(one_of_each_shape({chat("one", {"a"}), other}).size(), 2u);
}

}  // namespace
}  // namespace splitproof::selftest::streams_test
