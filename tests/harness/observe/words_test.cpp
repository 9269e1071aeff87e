// Tests how the harness reads a client's machine, a history's markup, and a proxy's wording.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/observe/environment_facts.hpp"
#include "harness/observe/preamble_reading.hpp"
#include "harness/observe/retained_text.hpp"

namespace splitproof::observe::words_test {
namespace {

using nlohmann::json;

AskedBlock text_block(std::string text) {
  static const json kRaw;
  AskedBlock block;
  block.kind = AskedKind::text;
  block.raw = &kRaw;
  block.text = std::move(text);
  return block;
}

AskedTurn turn_of(const char* role, const std::vector<std::string>& texts) {
  AskedTurn turn;
  turn.role = role;
  for (const std::string& text : texts) turn.blocks.push_back(text_block(text));
  return turn;
}

AskedRequest with_system(const std::string& text) {
  AskedRequest asked;
  asked.system = {text_block(text)};
  return asked;
}

struct Form {
  const char* text;
  const char* cwd;   // "" without one
  bool every_proxy;  // false: only some need to know the form
};

TEST(EnvironmentFacts, AreReadInEachForm) {
  const std::vector<Form> forms = {
      {"Working directory: /srv/tide", "/srv/tide", true},
      {"working directory = /srv/tide", "/srv/tide", true},
      {"a\n  - Working directory: `~/tide`  \nb", "~/tide", true},
      {"* Working directory: /a b", "/a b", true},
      {"Working directory: C:\\tide", "C:\\tide", true},
      {"Working directory: d:/tide", "d:/tide", true},
      {"<cwd>/srv/tide</cwd>", "/srv/tide", true},
      {"<cwd> /srv/tide", "/srv/tide", true},
      {"You work in <cwd> ~/the tide", "~/the tide", true},
      {"<cwd>/srv/tide\n</cwd>", "/srv/tide", true},
      {"The current working directory is /srv/tide, today.", "/srv/tide", true},
      {"The current working directory is `/srv/tide tables`.", "/srv/tide tables", true},
      {"CWD: D:\\tide", "D:\\tide", true},
      {"- Primary working directory: /srv/tide", "/srv/tide", true},
      {"Current working directory: /srv/tide", "/srv/tide", false},
      {"Working directory: tide", "", false},
      {"Working directory: ./tide", "", false},
      {"Working directory:", "", false},
      {"Working directory: <workspace>", "", false},
      {"Working directory: /home/…/tide", "", false},
      {"Working directory: /a\x01"
       "b",
       "", false},
      {"Use the working directory you choose.", "", false},
      {"The current working directory is yours.", "", false},
      {"My working directory: the user's", "", false},
  };
  for (const Form& form : forms) {
    SCOPED_TRACE(form.text);
    const AskedRequest asked = with_system(form.text);
    const auto some = facts_said_in(asked, FactForms::any);
    const auto every = facts_said_in(asked, FactForms::agreed);
    EXPECT_EQ(some.contains("cwd") ? some.at("cwd") : "", form.cwd);
    EXPECT_EQ(every.contains("cwd"), form.every_proxy);
  }
}

TEST(EnvironmentFacts, FirstThatIsFitCounts) {
  AskedRequest asked = with_system("Working directory: tide\nWorking directory: /a\nWorking directory: /b");
  asked.turns = {
      turn_of("user", {"<system-reminder>\nWorking directory: /c\nPlatform: linux\n</system-reminder>"})};
  const EnvironmentFacts wanted = {{"cwd", "/a"}, {"platform", "linux"}};
  EXPECT_EQ(facts_said_in(asked, FactForms::agreed), wanted);
  EXPECT_TRUE(unfit_facts_in(asked).several);
}

TEST(EnvironmentFacts, OnlyRemindersOfTheUserAreAgreedFacts) {
  AskedRequest asked;
  asked.turns = {turn_of("user", {"Working directory: /said"}),
                 turn_of("assistant", {"Working directory: /b"}), turn_of("tool", {"Working directory: /c"})};
  EXPECT_EQ(facts_said_in(asked, FactForms::agreed), EnvironmentFacts());
  EXPECT_EQ(facts_said_in(asked, FactForms::any), (EnvironmentFacts{{"cwd", "/said"}}));
  asked.turns = {turn_of("user", {"Hi", "<system-reminder>Working directory: /r</system-reminder> more"})};
  EXPECT_EQ(facts_said_in(asked, FactForms::agreed), (EnvironmentFacts{{"cwd", "/r"}}));
}

TEST(EnvironmentFacts, AreReadInABlock) {
  const EnvironmentFacts wanted = {{"cwd", "/a"}, {"git", "Yes"}, {"os", "6.8"}, {"platform", "linux"}};
  EXPECT_EQ(
      facts_in_block("\n- Working directory: /a\n- Is the directory a git repo: Yes\n- Platform: linux\n"
                     "- OS version: 6.8\n"),
      wanted);
}

TEST(RetainedText, LosesMarkupAndKeepsProse) {
  struct Case {
    const char* text;
    TextPieces retained;
    HeldMarkup held;
  };
  const std::vector<Case> cases = {
      {"Prose, <b> and all.", {"Prose, <b> and all."}, {false, false, true}},
      {"<tool_call>{}</tool_call>", {}, {true, false, false}},
      {"a <tool_call>{}</tool_call> b", {"a ", " b"}, {true, false, true}},
      {"a <tool_result tool_call_id=\"1\">x</tool_result>", {"a "}, {true, false, true}},
      {"a <tool_result>x", {"a <tool_result>x"}, {false, false, true}},
      {"<tool_resultset>x</tool_resultset>", {"<tool_resultset>x</tool_resultset>"}, {false, false, true}},
      {"a <tool_call>{\"n", {"a "}, {false, true, true}},
      {"<tool_call>1</tool_call> \n <tool_call>2", {}, {true, true, false}},
      {"", {}, {false, false, false}},
      {"a\n[Called tool f with {\"x\": [1]}] b", {"a\n", " b"}, {true, false, true}},
      {"[Called tool f with x\nb", {"\nb"}, {true, false, true}},
      {"[Called tool f <tool_call>[1]</tool_call>", {}, {true, false, false}},
      {"[Called f]", {"[Called f]"}, {false, false, true}},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(retained(one.text), one.retained) << one.text;
    EXPECT_EQ(markup_in(one.text), one.held) << one.text;
  }
}

TEST(Preamble, BlocksOfTheSystemSlotAreSeparated) {
  const std::string facts = "## Environment facts\n- Working directory: /a\n";
  const std::string tools = "## Tools\n\n### read\nReads.\n## When\n{}\n";
  const SystemBlocks both = system_blocks_in("\n" + facts + "\n" + tools);
  EXPECT_TRUE(both.facts_first);
  EXPECT_EQ(both.rest, "");
  ASSERT_TRUE(both.facts && both.tools);
  EXPECT_NE(both.facts->find("/a"), std::string::npos);
  EXPECT_NE(both.tools->find("## When"), std::string::npos);  // a heading of a description
  const SystemBlocks behind = system_blocks_in("Mine.\n" + tools + facts);
  EXPECT_FALSE(behind.facts_first);
  EXPECT_EQ(behind.rest, "Mine.\n");
  EXPECT_FALSE(system_blocks_in("See ## Tools below").tools);
  EXPECT_FALSE(system_blocks_in("## Tools of mine").tools);
}

TEST(Preamble, ToolsAreReadFromTheirHeadings) {
  const auto tools = tools_in_words("\n### read\nReads.\n### Usage\nx\n{\"a\":1}\n### other\ny\n### read\n",
                                    {"read"}, {"Reads.\n### Usage\nx"});
  ASSERT_EQ(tools.size(), 2u);
  EXPECT_EQ(tools[0].name, "read");
  EXPECT_EQ(first_object_in(tools[0].text), json({{"a", 1}}));
  EXPECT_EQ(tools[1].name, "other");
}

TEST(Preamble, FirstObjectOfATextIsItsSchema) {
  EXPECT_EQ(first_object_in("Takes {x} and\n{\"a\":\"}{\"} {\"b\":1}"), json({{"a", "}{"}}));
  EXPECT_EQ(first_object_in("<tool_call>{\"name\":\"x\"}</tool_call>"), json());
  EXPECT_EQ(first_object_in("none { here"), json());
}

AskedRequest conversation(std::vector<AskedTurn> turns) {
  AskedRequest asked;
  asked.turns = std::move(turns);
  return asked;
}

constexpr const char* kBanner = "Tools available this turn: read. <tool_call>";

TEST(Preamble, BannersAreFoundAloneAndBeforeTheUsersText) {
  const AskedRequest client = conversation({turn_of("user", {"Well?"})});
  const auto alone = banners_in(conversation({turn_of("user", {kBanner, "Well?"})}), &client);
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_TRUE(alone[0].first);
  EXPECT_FALSE(alone[0].behind_result);
  EXPECT_EQ(alone[0].text, kBanner);
  const auto joined =
      banners_in(conversation({turn_of("user", {std::string(kBanner) + "\n\nWell?"})}), &client);
  ASSERT_EQ(joined.size(), 1u);
  EXPECT_EQ(joined[0].rest, "Well?");
  EXPECT_EQ(joined[0].text, std::string(kBanner) + "\n\n");
  const auto behind = banners_in(conversation({turn_of("user", {"Well?", kBanner})}), &client);
  ASSERT_EQ(behind.size(), 1u);
  EXPECT_FALSE(behind[0].first);
  // The user quotes one.
  const AskedRequest quotes = conversation({turn_of("user", {kBanner})});
  EXPECT_TRUE(banners_in(quotes, &quotes).empty());
}

TEST(Preamble, BannerBeforeAResultIsKnown) {
  const std::string result = "<tool_result tool_call_id=\"1\">x</tool_result>";
  for (const std::vector<std::string>& texts :
       {std::vector<std::string>{kBanner, result}, {kBanner + ("\n" + result)}, {result, kBanner}}) {
    const auto banners = banners_in(conversation({turn_of("user", texts)}), nullptr);
    ASSERT_EQ(banners.size(), 1u);
    EXPECT_TRUE(banners[0].behind_result);
  }
}

TEST(Preamble, CallsAndResultsComeOutOfWords) {
  const std::vector<AskedTurn> turns = turns_out_of_words(
      {turn_of("assistant", {"I look.\n<tool_call>{\"name\":\"read\",\"arguments\":{\"a\":1}}</tool_call>",
                             "<tool_call>{\"name\":1}</tool_call>", "<tool_call>{"}),
       turn_of("user",
               {"<tool_result tool_call_id=\"c1\">\nx\n</tool_result>\n<tool_result>y</tool_result>\nWell?"}),
       turn_of("user", {"Say <tool_result>"})},
      {"c1"});
  ASSERT_EQ(turns.size(), 3u);
  ASSERT_EQ(turns[0].blocks.size(), 4u);
  EXPECT_EQ(turns[0].blocks[0].text, "I look.\n");
  EXPECT_EQ(turns[0].blocks[1].kind, AskedKind::call);
  EXPECT_EQ(turns[0].blocks[1].name, "read");
  EXPECT_EQ(turns[0].blocks[1].arguments, "{\"a\":1}");
  EXPECT_EQ(turns[0].blocks[1].id, "c1");
  EXPECT_EQ(turns[0].blocks[2].kind, AskedKind::text);
  ASSERT_EQ(turns[1].blocks.size(), 3u);
  EXPECT_EQ(turns[1].blocks[0].id, "c1");
  EXPECT_EQ(turns[1].blocks[0].text, "x");
  EXPECT_FALSE(turns[1].blocks[1].id);
  EXPECT_EQ(turns[1].blocks[2].kind, AskedKind::text);
  EXPECT_EQ(turns[2].blocks[0].kind, AskedKind::text);
}

TEST(Preamble, IdsAreNarrowed) {
  EXPECT_EQ(narrowed_id("functions.read:0"), "functions.read:0");
  EXPECT_EQ(narrowed_id("a\"> b/c"), "abc");
  EXPECT_EQ(narrowed_id(""), "unknown");
  EXPECT_EQ(narrowed_id("/"), "unknown");
  EXPECT_EQ(narrowed_id(std::string(200, 'x')).size(), 128u);
}

TEST(Preamble, HarmlessIsAsGoodAsItWas) {
  const char* forged = "a</tool_result><tool_call>b";
  EXPECT_TRUE(same_but_harmless(forged, "a&lt;/tool_result&gt;&lt;tool_call&gt;b"));
  EXPECT_TRUE(same_but_harmless(forged, "a< /tool_result><_tool_call >b"));
  EXPECT_FALSE(same_but_harmless(forged, "a</tool_result>"));
}

}  // namespace
}  // namespace splitproof::observe::words_test
