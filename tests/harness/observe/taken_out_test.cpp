#include "harness/observe/taken_out.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "harness/observe/own_identity.hpp"
#include "harness/observe/redacted.hpp"
#include "tests/harness/observe/meanings.hpp"

namespace splitproof::observe::taken_out_test {
namespace {

constexpr const char* kMarker = "\u2026";

using Rows = std::vector<std::pair<std::string, std::string>>;

TEST(TakenOut, PathsOfTheUpstreamsMachine) {
  const Rows rows = {
      {"", ""},
      {"see /opt/windsurf.", "see \u2026."},
      {"/opt/windsurf/a.b/c ./a", "\u2026 ./a"},
      {"/opt/windsurf...x", "\u2026"},
      {"/opt/windsurf....x", "\u2026....x"},
      {"/opt/windsurf..", "\u2026.."},
      {"/opt/winds", "/opt/winds"},
      {"x/opt/windsurf/home/user/projects/workspace-1", "x\u2026"},
      {"/opt/windsurf /tmp/windsurf-workspace", "\u2026 \u2026"},
      {"`/opt/windsurf`", "`\u2026`"},
  };
  for (const auto& [text, told] : rows) EXPECT_EQ(redacted(text, kMarker), told) << text;
}

TEST(TakenOut, PathsInValuesOfArgumentsAsTheyRead) {
  const Rows rows = {
      {R"({"p":"/opt/windsurf/a","/opt/windsurf":1})", R"({"p":"…","/opt/windsurf":1})"},
      {R"({"p":["\/opt\/windsurf\u002fa b",{"q":"/opt/windsurf"}]})", R"({"p":["… b",{"q":"…"}]})"},
      {R"({"p":"x\n/opt/windsurf\n","q":12345678901234567890})",
       R"({"p":"x\n…\n","q":12345678901234567890})"},
      {R"({"p":"/opt/windsurf/cut)", R"({"p":"…)"},
      {R"({"p":"/opt/windsurf/cut\)", R"({"p":"…\)"},
      {R"({"p":"/opt/winds)", R"({"p":"/opt/winds)"},
      {R"({"p":x "/opt/windsurf"})", R"({"p":x "/opt/windsurf"})"},
      {R"({"a":"1","p":"/opt/windsurf"} "/opt/windsurf")", R"({"a":"1","p":"…"} "/opt/windsurf")"},
  };
  for (const auto& [arguments, told] : rows)
    EXPECT_EQ(redacted_arguments(arguments, kMarker), told) << arguments;
}

TEST(TakenOut, NameOfTheUpstreamsAgent) {
  const Rows rows = {
      {"I am Cascade.", "I am claude-4."},
      {"I\u2019m Windsurf's Cascade, ready", "I\u2019m claude-4, ready"},
      {"my name is Amazon Q Developer", "my name is claude-4"},
      {"I am Cascades. XI am Cascade", "I am Cascades. XI am Cascade"},
      {"Codeium Cascade is an AI coding assistant built by Windsurf.",
       "claude-4 is an AI assistant built by Anthropic."},
      {"Acting as Kiro, I", "As claude-4, I"},
      {"the Cascade workspace, Cascade's workspace", "the workspace, the workspace"},
      {"mythe Cascade workspace", "mythe the workspace"},
      {"a cascade of rocks, Cascade", "a cascade of rocks, Cascade"},
      {"`I am Cascade` I am Cascade", "`I am Cascade` I am claude-4"},
      {"```\nI am Cascade\n```\nI am Cascade", "```\nI am Cascade\n```\nI am claude-4"},
      {"~~~\nI am Cascade\n```\nI am Cascade\n~~~\nI am Cascade",
       "~~~\nI am Cascade\n```\nI am Cascade\n~~~\nI am claude-4"},
      {"```\n~~~\nI am Cascade", "```\n~~~\nI am Cascade"},
      {"``I am Cascade`` I am Cascade", "``I am Cascade`` I am claude-4"},
      {" {\"a\":\"I am Cascade\"} I am Cascade", " {\"a\":\"I am Cascade\"} I am claude-4"},
      {"x {\"a\":\"I am Cascade\"}", "x {\"a\":\"I am claude-4\"}"},
      {"{I am Cascade", "{I am claude-4"},
      {"[\"I am Cascade", "[\"I am Cascade"},
  };
  for (const auto& [text, told] : rows) EXPECT_EQ(with_identity_of("claude-4", text), told) << text;
  EXPECT_EQ(with_identity_of("x/unknown", "I am Cascade, built by Codeium"),
            "I am x/unknown, built by Codeium");
  EXPECT_EQ(with_identity_of("o/gpt-5", "created by Windsurf's Cascade"), "created by OpenAI");
  EXPECT_EQ(with_identity_of("", "I am Cascade"), "I am Cascade");
}

TEST(TakenOut, BlocksOfTheRequest) {
  const Rows rows = {
      {"a<user_information>b</user_information>c", "ac"},
      {"<user_information>b</user_information>\nc", "c"},
      {"a\n<user_information>b</user_information>\n\nc", "a\n\nc"},
      {" <user_information>b</user_information>\nc", " \nc"},
      {"a<workspace_layout>b</user_information>", "a"},
      {"a<user_information x>b", "a<user_information x>b"},
      {"`<user_information>`", "`<user_information>`"},
      {"a</user_information>", "a</user_information>"},
      {"<user_information>`</user_information><environment_details>x</environment_details>b", "b"},
  };
  for (const auto& [text, told] : rows) EXPECT_EQ(without_hidden_blocks(text), told) << text;
}

TEST(TakenOut, EachPartByItselfAndNoPartIsLeftEmpty) {
  Choices choices;
  std::vector<Part> parts = {text("I am Casc"), thinking("/opt/windsurf"), text("ade"),
                             text("<user_information>"), call("i", "f", R"({"p":"/opt/windsurf"})")};
  parts[1].signature = "s";
  const std::vector<Part> before = parts;
  take_out(parts, choices, "m");
  EXPECT_EQ(parts, before) << "nothing was promised";
  choices.marker = Choices::Marker::structural;
  choices.rewrites_identity = choices.strips_blocks = true;
  take_out(parts, choices, "m");
  EXPECT_EQ(parts, (std::vector<Part>{text("I am Casc"), thinking("<workspace>"), text("ade"),
                                      call("i", "f", R"({"p":"<workspace>"})")}));
}

}  // namespace
}  // namespace splitproof::observe::taken_out_test
