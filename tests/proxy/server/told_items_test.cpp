#include "proxy/server/told_items.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "proxy/dialect/openai_responses/references.hpp"

namespace splitproof::server {
namespace {

using proxy::dialect::resolve_references;

TEST(ToldItems, AreFoundByTheKeyOfTheirClient) {
  ToldItems told(10'000);
  told.keep("k", {{"msg_1", "{\"a\":1}"}, {"msg_2", "{\"a\":2}"}});
  EXPECT_EQ(told.find("k", "msg_1"), "{\"a\":1}");
  EXPECT_EQ(told.find("k", "msg_2"), "{\"a\":2}");
  EXPECT_EQ(told.find("k", "msg_3"), "");
  EXPECT_EQ(told.find("other", "msg_1"), "") << "nobody reads what another client was told";
  told.keep("k", {{"msg_1", "{\"a\":3}"}});
  EXPECT_EQ(told.find("k", "msg_1"), "{\"a\":3}") << "the later one counts";
}

TEST(ToldItems, OldestGoIfThereIsNoRoom) {
  ToldItems told(10'000);
  const std::string text(1'000, 'x');
  for (int i = 0; i < 100; ++i) told.keep("k", {{"msg_" + std::to_string(i), text}});
  EXPECT_EQ(told.find("k", "msg_99"), text);
  EXPECT_EQ(told.find("k", "msg_0"), "");
  std::size_t kept = 0;
  for (int i = 0; i < 100; ++i) kept += told.find("k", "msg_" + std::to_string(i)).size();
  EXPECT_LE(kept, 10'000u);
  EXPECT_GE(kept, 5'000u);
  told.keep("k", {{"msg_large", std::string(20'000, 'x')}});
  EXPECT_EQ(told.find("k", "msg_large"), "") << "one alone may be too large";
}

TEST(References, GiveWayToTheItemsThatAreKnown) {
  const auto find = [](std::string_view id) {
    return id == "msg_1" ? std::string("{\"type\":\"message\"}") : std::string();
  };
  const auto resolved = [&](const std::string& input) {
    return resolve_references("{\"input\":" + input + ",\"model\":\"m\"}", 64, find);
  };
  const auto body = [](const std::string& input) { return "{\"input\":" + input + ",\"model\":\"m\"}"; };
  EXPECT_EQ(resolved(R"([{"type":"item_reference","id":"msg_1"}, {"type":"x"}])"),
            body(R"([{"type":"message"}, {"type":"x"}])"));
  EXPECT_EQ(resolved(R"([1,{"id":"msg_1","type":"item_reference"},{"type":"item_reference","id":"msg_1"}])"),
            body(R"([1,{"type":"message"},{"type":"message"}])"));
  for (const char* same :
       {R"([{"type":"item_reference","id":"msg_2"}])", R"([{"type":"item_reference"}])",
        R"("item_reference")", R"({"type":"item_reference","id":"msg_1"})", R"(["item_reference)"})
    EXPECT_EQ(resolved(same), std::nullopt) << same;
}

}  // namespace
}  // namespace splitproof::server
