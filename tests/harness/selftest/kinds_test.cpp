// Kinds of flaws and of legal variations: there are enough, each can be made, and each is what it claims.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "harness/selftest/detection.hpp"
#include "harness/selftest/kinds/kind.hpp"
#include "harness/selftest/kinds/strand_kinds.hpp"
#include "harness/selftest/words_of.hpp"
#include "tests/harness/selftest/controls.hpp"
#include "tests/harness/selftest/fewer_rules.hpp"

namespace splitproof::selftest::kinds_test {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 3> kProtocols = {"anthropic.messages", "openai.chat", "openai.responses"};

// Returns the streams for flaws.
std::vector<Stream> streams_of(const std::string& protocol) {
  std::vector<Stream> streams;
  for (const auto& entry :
       fs::directory_iterator(contract::contract_folder() / "self-test/streams" / protocol))
    streams.push_back({protocol, entry.path().stem().string(), observe::file_bytes(entry.path())});
  std::sort(streams.begin(), streams.end(), [](const Stream& a, const Stream& b) { return a.name < b.name; });
  return streams;
}

Stream stream(const std::string& protocol, const std::string& name) {
  return {
      protocol, name,
      observe::file_bytes(contract::contract_folder() / "self-test/streams" / protocol / (name + ".sse"))};
}

const Kind& kind(const std::string& protocol, const std::string& name) {
  const std::vector<Kind>& all = kinds_of(protocol);
  const auto found = std::find_if(all.begin(), all.end(), [&](const Kind& one) { return one.name == name; });
  EXPECT_NE(found, all.end()) << name;
  return *found;
}

TEST(Kinds, AreThreeHundredAndMoreByName) {
  for (const char* protocol : kProtocols) {
    SCOPED_TRACE(protocol);
    std::set<std::string> flaws;
    std::set<std::string> legal;
    std::set<std::string_view> families;
    for (const Kind& one : kinds_of(protocol)) {
      EXPECT_TRUE((one.effect == Effect::none ? legal : flaws).insert(one.name).second)
          << one.name << " stands twice";
      EXPECT_FALSE(one.then.empty()) << one.name;
      families.insert(one.family);
    }
    EXPECT_GE(flaws.size(), 300u);
    EXPECT_GE(legal.size(), 50u);
    EXPECT_GE(families.size(), 10u);
  }
}

TEST(Kinds, OfNoProtocolAreNone) { EXPECT_TRUE(kinds_of("gopher").empty()); }

// The results of a kind differ from their stream, and every kind applies to some stream.
TEST(Kinds, AreMadeSomewhere) {
  for (const char* protocol : kProtocols) {
    std::map<std::string, std::size_t> made;
    for (const Stream& one : streams_of(protocol)) {
      const Draft draft = draft_of(protocol, one.body);
      ASSERT_EQ(draft.body(), one.body);
      for (const Kind& of : kinds_of(protocol)) {
        for (const std::string& body : of.make(draft)) {
          EXPECT_NE(body, one.body) << of.name << " of " << one.name;
          ++made[of.name];
        }
      }
    }
    for (const Kind& of : kinds_of(protocol)) EXPECT_GT(made[of.name], 0u) << protocol << ": " << of.name;
  }
}

TEST(Kinds, OfTheSameStreamAreTheSameEveryTime) {
  for (const char* protocol : kProtocols) {
    const Draft draft = draft_of(protocol, streams_of(protocol).front().body);
    for (const Kind& of : kinds_of(protocol)) EXPECT_EQ(of.make(draft), of.make(draft)) << of.name;
  }
}

TEST(Kinds, AreMadeOfSoundStreams) {
  for (const char* protocol : kProtocols) {
    for (const Stream& one : streams_of(protocol)) {
      const StreamExaminer witness(contract::built_in_contracts(), contract::default_profile(), protocol,
                                   one.body);
      EXPECT_EQ(witness.look(one.body), Detection{}) << protocol << "/" << one.name;
    }
  }
}

TEST(Kinds, OfNothingAreNone) {
  const Draft nothing("");
  for (const char* protocol : kProtocols) {
    for (const Kind& of : kinds_of(protocol)) {
      for (const std::string& body : of.make(nothing))
        EXPECT_TRUE(body.empty() || of.family == "legal") << of.name;
    }
  }
}

TEST(LegalVariations, AreBlamedByNoRule) {
  for (const char* protocol : kProtocols) {
    for (const Stream& one : streams_of(protocol)) {
      const StreamExaminer witness(contract::built_in_contracts(), contract::default_profile(), protocol,
                                   one.body);
      const Draft draft = draft_of(protocol, one.body);
      for (const Kind& of : kinds_of(protocol)) {
        if (of.effect != Effect::none) continue;
        for (const std::string& body : of.make(draft)) {
          const Detection sight = witness.look(body);
          EXPECT_EQ(sight.alters ? sight.alone : sight.with_meaning, "") << of.name << " of " << one.name;
        }
      }
    }
  }
}

// A strand is the text that the harness's own reader assembles.
TEST(Strands, OfTextAreTheText) {
  const std::vector<std::array<std::string, 4>> expected = {
      {"anthropic.messages", "mcp", "mcp_tool_use.arguments", R"({"harbour": "Leith","day":3})"},
      {"anthropic.messages", "cut-at-the-limit", "text", "The tide turns at"},
      {"anthropic.messages", "mcp", "mcp_tool_use.name", "ask_harbour"},
      {"openai.chat", "function-call", "function_call.arguments", R"({"town": "Leith","by":"sea","day":3})"},
      {"openai.chat", "custom-tool", "custom.input", "raise --crane Süd"},
      {"openai.responses", "custom-calls", "custom_tool_call.input", "open --gate Süd"},
      {"openai.responses", "mcp", "mcp_call.arguments", R"({"dock": "Leith","by":"sea","day":3})"}};
  for (const auto& [protocol, name, what, text] : expected) {
    SCOPED_TRACE(what);
    const Draft draft(stream(protocol, name).body);
    const std::vector<LogicalString> strands = strands_of(words_of(protocol), draft, what);
    ASSERT_FALSE(strands.empty());
    EXPECT_EQ(strands.front().text(draft), text);
    for (const Repeat& repeat : strands.front().repeats)
      EXPECT_EQ(draft.text(repeat.spot), text) << repeat.where;
    Draft changed = draft;
    strands.front().say(changed, text + " and üü");
    EXPECT_EQ(strands_of(words_of(protocol), changed, what).front().text(changed), text + " and üü");
  }
}

// Finds every place in which Responses repeat content.
TEST(Strands, OfResponsesStandInAllTheirPlaces) {
  std::map<std::string, std::set<std::string>> places;
  for (const Stream& one : streams_of("openai.responses")) {
    const Draft draft(one.body);
    for (const LogicalString& strand : words_of("openai.responses").strands(draft)) {
      for (const Repeat& repeat : strand.repeats)
        places[std::string(strand.what)].insert(std::string(repeat.where));
    }
  }
  for (const LogicalStringClass& of : words_of("openai.responses").strand_classes()) {
    EXPECT_EQ(places[std::string(of.what)], (std::set<std::string>(of.repeats.begin(), of.repeats.end())))
        << of.what;
  }
}

TEST(Draft, SaysWhatNoTextCan) {
  Draft draft("data: {\"a\":\"b\"}\n\n");
  const auto body = [&](std::string_view stand) {
    draft.set({0, "/a"}, "x" + std::string(stand));
    return draft.body();
  };
  EXPECT_EQ(body(dialect::kHighSurrogate), "data: {\"a\":\"x\\ud83d\"}\n\n");
  EXPECT_EQ(body(dialect::kLowSurrogate), "data: {\"a\":\"x\\udca7\"}\n\n");
  EXPECT_EQ(body(dialect::kBadByte), "data: {\"a\":\"x\xFF\"}\n\n");
  EXPECT_EQ(body(dialect::kRawControl), "data: {\"a\":\"x\x01\"}\n\n");
  EXPECT_EQ(body(std::string(dialect::kHalfCharacter) + std::string(dialect::kOtherHalfCharacter)),
            "data: {\"a\":\"xü\"}\n\n");
}

// A removed rule is missed by the kinds that only it detects.
TEST(Kinds, MissARuleThatIsTakenAway) {
  struct Row {
    const char* rule;
    const char* protocol;
    const char* stream;
    const char* kind;
  };
  const std::vector<Row> rows = {
      {"STOP-05", "anthropic.messages", "citations", "finish_reason-of-chat@message_delta"},
      {"ANT-15", "anthropic.messages", "mcp", "null@message_start.model"},
      {"TOOL-02", "anthropic.messages", "three-calls", "shared@tool_use.id"},
      {"SSE-07", "anthropic.messages", "mcp", "event-line-quoted@middle"},
      {"CHT-08", "openai.chat", "two-calls", "two-objects@call.arguments"},
      {"CHT-06", "openai.chat", "text-with-usage", "tool_calls-without-call@finish_reason"},
      {"RSP-20", "openai.responses", "reasoning-and-calls", "differs@summary/item-done"},
      {"RSP-21", "openai.responses", "custom-calls", "differs@custom_tool_call.input/done"}};
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(row.rule) + " " + row.kind);
    const contract::Contracts fewer = without({row.rule});
    ASSERT_EQ(fewer.find(row.rule), nullptr);
    const Stream one = stream(row.protocol, row.stream);
    const ChangedBodies bodies = kind(row.protocol, row.kind).make(draft_of(row.protocol, one.body));
    ASSERT_FALSE(bodies.empty());
    const auto seen = [&](const contract::Contracts& contracts) {
      const StreamExaminer witness(contracts, contract::default_profile(), row.protocol, one.body);
      return std::count_if(bodies.begin(), bodies.end(),
                           [&](const std::string& body) { return !witness.look(body).alone.empty(); });
    };
    EXPECT_EQ(seen(contract::built_in_contracts()), static_cast<std::ptrdiff_t>(bodies.size()));
    EXPECT_LT(seen(fewer), static_cast<std::ptrdiff_t>(bodies.size()));
  }
}

}  // namespace
}  // namespace splitproof::selftest::kinds_test
