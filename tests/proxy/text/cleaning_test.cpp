#include "proxy/text/cleaning.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace splitproof::text::cleaning_test {
namespace {

using turn::BlockKind;
using turn::Event;

CleaningRules all_on(Marker marker = Marker::structural) {
  CleaningRules rules;
  rules.marker = marker;
  rules.internal_paths = {"/tmp/win", "C:\\agent", "/opt/a b"};
  rules.identity = OwnIdentity::rewrite;
  rules.upstream_blocks = UpstreamBlocks::strip;
  rules.stop_sequences = StopRule::cut;
  rules.model = "claude-x";
  rules.stops = {"STOP", "OP!", "\n\nHuman:", "TOO"};
  return rules;
}

Event words(std::string text, std::size_t part = 0) {
  return turn::Prose{BlockKind::text, std::move(text), part};
}
Event thought(std::string text) { return turn::Prose{BlockKind::thinking, std::move(text)}; }
Event piece(std::size_t call, std::string arguments) {
  return turn::CallPiece{call, call, {}, {}, std::move(arguments)};
}

// Writes text unchanged, thinking as [..], arguments as (number ..), a reason as {..}, an error as !.. code!, a
// signature as S; others as a letter. Neighbours of one kind are joined.
std::string show(const std::vector<Event>& events) {
  std::string shown;
  for (const Event& event : events) {
    std::string open;
    std::string text;
    std::string close;
    if (const auto* prose = std::get_if<turn::Prose>(&event)) {
      EXPECT_NE(prose->text, "");
      text = prose->text;
      if (prose->kind == BlockKind::thinking) open = "[", close = "]";
    } else if (const auto* made = std::get_if<turn::CallPiece>(&event)) {
      open = "(" + std::to_string(made->call) + " ", text = made->arguments, close = ")";
    } else if (const auto* finished = std::get_if<turn::Finished>(&event)) {
      text = "{" + finished->stopped_at + "}";
    } else if (const auto* failure = std::get_if<turn::Failure>(&event)) {
      text = "!" + failure->message + " " + failure->code + "!";
    } else {
      text = "BPSCUFDEXNZ"[event.index()];
    }
    if (!open.empty() && shown.ends_with(close) && shown.rfind(open) != std::string::npos &&
        shown.find(close, shown.rfind(open)) == shown.size() - 1) {
      shown.pop_back();
      shown += text + close;
    } else {
      shown += open + text + close;
    }
  }
  return shown;
}

std::vector<Event> run(const CleaningRules& rules, const std::vector<Event>& said) {
  Cleaning cleaning(rules);
  std::vector<Event> events;
  for (const Event& event : said) cleaning.accept(event, events);
  cleaning.finish(events);
  return events;
}

std::string read(const CleaningRules& rules, const std::vector<Event>& said) {
  return show(run(rules, said));
}

using Make = std::function<Event(std::string)>;

// Reads the text whole, with every pair of cuts, and in single bytes. The filter's final state is always the same.
std::string read_all_ways(const CleaningRules& rules, const std::string& text, const Make& make) {
  const std::string whole = read(rules, {make(text)});
  Cleaning once(rules);
  std::vector<Event> events;
  once.accept(make(text), events);
  const auto same = [&](const std::vector<std::size_t>& cuts) {
    Cleaning pieces(rules);
    std::vector<Event> said;
    std::size_t from = 0;
    for (const std::size_t to : cuts) {
      pieces.accept(make(text.substr(from, to - from)), said);
      from = to;
    }
    pieces.accept(make(text.substr(from)), said);
    EXPECT_EQ(pieces, once) << testing::PrintToString(cuts) << " of " << text;
    pieces.finish(said);
    EXPECT_EQ(show(said), whole) << testing::PrintToString(cuts) << " of " << text;
  };
  std::vector<std::size_t> all;
  for (std::size_t first = 1; first < text.size(); ++first) {
    all.push_back(first);
    for (std::size_t second = first; second < text.size(); ++second) same({first, second});
  }
  same(all);
  return whole;
}

struct Example {
  std::string text;
  std::string told;
};

void expect_told(const CleaningRules& rules, const std::vector<Example>& examples, const Make& make) {
  for (const auto& [text, told] : examples) EXPECT_EQ(read_all_ways(rules, text, make), told) << text;
}

Event as_words(std::string text) { return words(std::move(text)); }

TEST(Cleaning, RedactsPathsInText) {
  expect_told(all_on(),
              {{"see /tmp/win/a.cpp.", "see <workspace>."},
               {"/tmp/win", "<workspace>"},
               {"/tmp/wi", "/tmp/wi"},
               {"/tmp/wi/tmp/win", "/tmp/wi<workspace>"},
               {"/var/tmp/windows/x:12: y", "/var<workspace>:12: y"},
               {"/tmp/win/a..b", "<workspace>"},
               {"/tmp/win/a...", "<workspace>..."},
               {"/tmp/win/a....b", "<workspace>....b"},
               {"/tmp/win../tmp/win", "<workspace>"},
               {"'/tmp/win' `/tmp/win/x`", "'<workspace>' `<workspace>`"},
               {"C:\\agent\\x y", "<workspace> y"},
               {"/opt/a b/c d", "<workspace> d"},
               {"/tmp/win\xC3\xA9", "<workspace>\xC3\xA9"},
               {"/TMP/WIN", "/TMP/WIN"},
               {"//tmp/win", "/<workspace>"}},
              as_words);
  expect_told(all_on(Marker::ellipsis), {{"a /tmp/win/b c", "a … c"}}, as_words);
  CleaningRules off = all_on(Marker::none);
  expect_told(off, {{"a /tmp/win/b c", "a /tmp/win/b c"}}, as_words);
}

TEST(Cleaning, OfPrefixesTheOneThatEndsFirstCounts) {
  CleaningRules rules = all_on();
  rules.internal_paths = {"/a/b/c", "b/", "/x y", "/x", "/var/log", "/log"};
  expect_told(rules,
              {{"/a/b/c", "/a/<workspace>"},
               {"/x y", "<workspace> y"},
               {"/var/log z", "<workspace> z"},
               {"/a/b", "/a/b"}},
              as_words);
}

TEST(Cleaning, RedactsValuesOfArguments) {
  expect_told(
      all_on(),
      {{R"({"p":"/tmp/win/a","q":["x /tmp/win."]})", R"((0 {"p":"<workspace>","q":["x <workspace>."]}))"},
       {R"({"/tmp/win":"a"})", R"((0 {"/tmp/win":"a"}))"},
       {R"({"p":"\/tmp\u002fwin\/a\"b"})", R"((0 {"p":"<workspace>\"b"}))"},
       {R"({"p":"C:\\agent\\x\n\\n"})", R"((0 {"p":"<workspace>\n\\n"}))"},
       {R"({"p":"/tmp/wi","q":"n"})", R"((0 {"p":"/tmp/wi","q":"n"}))"},
       {R"({"p":"\/tmp\/wi\ud83d\ude00\u00"})", R"((0 {"p":"\/tmp\/wi\ud83d\ude00\u00"}))"},
       {R"({"p":"/tmp/win/..)", R"((0 {"p":"<workspace>..))"},
       {R"({"p":"\/tmp)", R"((0 {"p":"\/tmp))"},
       {R"({"p":"\)", R"((0 {"p":"\))"},
       {R"({"p":"\q","q":"/tmp/win"})", R"((0 {"p":"\q","q":"/tmp/win"}))"},
       {R"({"p":"I am Cascade STOP"})", R"((0 {"p":"I am Cascade STOP"}))"}},
      [](std::string arguments) { return piece(0, std::move(arguments)); });
  EXPECT_EQ(read(all_on(), {piece(0, R"({"p":"/tmp/)"), piece(1, R"({"p":"win)"), piece(0, R"(win"})")}),
            R"((0 {"p":")(1 {"p":"win)(0 <workspace>"}))");
}

TEST(Cleaning, RewritesIdentityInText) {
  expect_told(
      all_on(),
      {{"I am Cascade and I will help.", "I am claude-x and I will help."},
       {"I'm Cascade, ready", "I'm claude-x, ready"},
       {"I’m Kiro", "I’m claude-x"},
       {"Hi! my name is Cascade.", "Hi! my name is claude-x."},
       {"Cascade is an AI coding assistant built by Windsurf.",
        "claude-x is an AI assistant built by Anthropic."},
       {"Acting as Cascade, I", "As claude-x, I"},
       {"developed by Codeium, created by Windsurf", "developed by Anthropic, created by Anthropic"},
       {"Codeium's Cascade can", "claude-x can"},
       {"Windsurf Cascade is here.", "claude-x is here."},
       {"Let me check Cascade's workspace.", "Let me check the workspace."},
       {"the Cascade workspace", "the workspace"},
       {"my Kiro workspace", "my workspace"},
       {"bathe Cascade workspace", "bathe the workspace"},
       {"I am Amazon Q Developer", "I am claude-x"},
       {"I am Amazon Q Devel", "I am claude-x Devel"},
       {"I am Amazon Q", "I am claude-x"},
       {"I am Windsurf Cascade", "I am claude-x"},
       {"built by Windsurf's Cascade", "built by Anthropic"},
       // No match.
       {"The waterfall flows down a cascade of rocks.", "The waterfall flows down a cascade of rocks."},
       {"AI am Cascade", "AI am Cascade"},
       {"I am Cascades", "I am Cascades"},
       {"I am Cascad\xC3\xA9", "I am Cascad\xC3\xA9"},
       {"i am cascade", "i am cascade"},
       {"Windsurf is an editor", "Windsurf is an editor"},
       {"I I am I'm Kiro", "I I am I'm claude-x"}},
      as_words);
}

TEST(Cleaning, IdentityLeavesCodeAndJson) {
  expect_told(all_on(),
              {{"`I am Cascade` I am Cascade", "`I am Cascade` I am claude-x"},
               {"`a` `I am Kiro` I am Kiro", "`a` `I am Kiro` I am claude-x"},
               {"so `x I am Kiro` I am Kiro", "so `x I am Kiro` I am claude-x"},
               {"```\nI am Cascade\n```\nI am Kiro", "```\nI am Cascade\n```\nI am claude-x"},
               {R"({"a":"I am Cascade"} I am Kiro)", R"({"a":"I am Cascade"} I am claude-x)"},
               {" [1,\n\"I am Kiro\"]\n[I am Kiro]", " [1,\n\"I am Kiro\"]\n[I am claude-x]"},
               {R"(see {"a":"I am Kiro"})", R"(see {"a":"I am claude-x"})"},
               {R"({"a":"I am Kiro)", R"({"a":"I am Kiro)"},
               {R"([t"I am Kiro"])", R"([t"I am claude-x"])"},
               {"{}`I am Kiro` I am Kiro", "{}`I am Kiro` I am claude-x"},
               {"[[\"`\"]] I am Kiro", "[[\"`\"]] I am claude-x"}},
              as_words);
  EXPECT_EQ(read(all_on(), {words(std::string(32, '[') + "\"I am Kiro\"")}),
            std::string(32, '[') + "\"I am Kiro\"");
  EXPECT_EQ(read(all_on(), {words(std::string(33, '[') + "\"I am Kiro\"")}),
            std::string(33, '[') + "\"I am claude-x\"");
}

TEST(Cleaning, IdentityIsIdempotent) {
  for (const Phrase& phrase : phrases()) {
    for (const char* before : {"", "the ", "As ", "I am "}) {
      const std::string once = read(all_on(), {words(before + phrase.text + " workspace.")});
      EXPECT_EQ(read(all_on(), {words(once)}), once);
      EXPECT_EQ(once.find("the the"), std::string::npos);
    }
  }
}

TEST(Cleaning, MakerIsToldByTheModel) {
  CleaningRules rules = all_on();
  for (const auto& [model, told] : std::vector<Example>{{"openai/GPT-5", "built by OpenAI"},
                                                        {"mystery", "built by Codeium"},
                                                        {"gemini-3", "built by Google"}}) {
    rules.model = model;
    EXPECT_EQ(read(rules, {words("built by Codeium I am Kiro")}), told + " I am " + model);
  }
  rules.model = "";
  EXPECT_EQ(read(rules, {words("I am Kiro")}), "I am Kiro");
}

TEST(Cleaning, LeavesOutHiddenBlocks) {
  const std::string block = "<user_information>a `b\n</user_info</user_information>";
  expect_told(all_on(),
              {{"x" + block + "y", "xy"},
               {block + "\n\ny", "\ny"},
               {block + block + "\ny", "y"},
               {"x\n" + block + "\ny", "x\ny"},
               {"x" + block + "\ny", "x\ny"},
               {"x <workspace_layout> y", "x "},
               {"x <workspace_layout", "x <workspace_layout"},
               {"<<user_information x>", "<<user_information x>"},
               {"</user_information>", "</user_information>"},
               {"`<user_information>` " + block, "`<user_information>` "},
               {"```\n<user_information>\n```\n" + block, "```\n<user_information>\n```\n"},
               {"<user_information><user_information></user_information>z", "z"},
               {block, ""}},
              as_words);
}

TEST(Cleaning, CutsAtAStopSequence) {
  const auto told = [](std::string text) {
    return std::vector<Event>{words(std::move(text)), thought("t"), turn::Usage{}, turn::Finished{},
                              turn::Failure{}};
  };
  expect_told(all_on(),
              {{"aSTOP b", "a{STOP}D"},
               {"aSTO", "aSTO"},
               {"aOP!STOP", "a{OP!}D"},
               {"STOOP!", "S{TOO}D"},
               {"a\n\nHuman", "a\n\nHuman"},
               {"SSTOP", "S{STOP}D"},
               {"STSTOP", "ST{STOP}D"},
               {"`STOP`", "`{STOP}D"}},
              as_words);
  EXPECT_EQ(read(all_on(), told("aSTOP b")), "a{STOP}UD");
  EXPECT_EQ(read(all_on(), told("aSTO")), "aSTO[t]U{}! !");
  EXPECT_EQ(read(all_on(), {thought("STOP")}), "[STOP]");
  EXPECT_EQ(read(all_on(), {words("ST"), thought("t"), words("OP")}), "ST[t]OP");
  EXPECT_EQ(read(all_on(),
                 {piece(0, "{"), words("aSTOP"), piece(1, "{}"), piece(0, "}"), turn::Done{}, turn::Usage{}}),
            "(0 {)a{STOP}(0 })D");
  CleaningRules of_one_byte = all_on();
  of_one_byte.stops = {"#", "\n\n"};
  expect_told(of_one_byte, {{"a # b", "a {#}D"}, {"a\nb\n\nc", "a\nb{\n\n}D"}}, as_words);
  // The client's stop sequences only apply with the knob.
  CleaningRules off = all_on();
  off.stop_sequences = StopRule::upstream;
  EXPECT_EQ(read(off, {words("aSTOP")}), "aSTOP");
}

TEST(Cleaning, OneFilterReadsWhatTheOtherGives) {
  CleaningRules rules = all_on();
  rules.stops = {"<workspace>", "claude-x", "ab"};
  expect_told(rules, {{"x /tmp/win/y", "x {<workspace>}D"}, {"I am Kiro", "I am {claude-x}D"}}, as_words);
  EXPECT_EQ(read(rules, {words("a<user_information></user_information>b")}), "{ab}D");
}

TEST(Cleaning, APartIsReadByItself) {
  EXPECT_EQ(read(all_on(), {words("/tmp"), thought("/win"), words("/tmp"), words("/win", 1)}),
            "/tmp[/win]/tmp/win");
  EXPECT_EQ(read(all_on(), {words("/tmp"), piece(0, "{"), words("/win")}), "/tmp(0 {)/win");
  EXPECT_EQ(read(all_on(), {piece(0, "{"), words("/tmp"), piece(0, "}"), words("/win")}),
            "(0 {})<workspace>");
  EXPECT_EQ(read(all_on(),
                 {words("/tmp"), words(""), turn::Usage{}, turn::Finished{}, words("/win"), turn::Done{}}),
            "U{}<workspace>D");
  EXPECT_EQ(read(all_on(), {words("/tmp"), turn::Close{0}, words("/win", 1)}), "/tmpX/win");
  EXPECT_EQ(read(all_on(), {words("x <user_information>"), thought("t"), words("y")}), "x [t]y");
  EXPECT_EQ(read(all_on(), {thought("I am "), thought("Kiro")}), "[I am claude-x]");
}

TEST(Cleaning, ThinkingThatWasChangedHasNoSignature) {
  const auto signed_as = [](std::string text) {
    return read(all_on(), {thought(std::move(text)), turn::Signature{"s"}, words("y")});
  };
  EXPECT_EQ(signed_as("plain"), "[plain]Sy");
  EXPECT_EQ(signed_as("I a"), "[I a]Sy");
  EXPECT_EQ(signed_as("I am Kiro"), "[I am claude-x]y");
  EXPECT_EQ(signed_as("/tmp/win"), "[<workspace>]y");
  EXPECT_EQ(signed_as("x<user_information>"), "[x]y");
  EXPECT_EQ(read(all_on(), {thought("/tmp/win"), turn::Close{0}, turn::Signature{"s"}}), "[<workspace>]X");
  EXPECT_EQ(read(all_on(), {turn::Signature{"s"}}), "S");
  const turn::Signature ends{"s", true};
  EXPECT_EQ(read(all_on(), {thought("a"), ends, thought("b")}), "[a]S[b]");
  EXPECT_EQ(read(all_on(), {thought("/tmp/win"), ends, thought("b"), ends}), "[<workspace>]X[b]S");
  EXPECT_EQ(read(all_on(), {thought("/tmp/win"), ends, ends}), "[<workspace>]XS");
  EXPECT_EQ(read(all_on(), {words("a/tm"), ends, words("p/b")}), "a/tmSp/b");
  EXPECT_EQ(read(all_on(), {words("a/tm"), turn::Sealed{"z"}, words("p/b")}), "a/tmZp/b");
}

TEST(Cleaning, ErrorsAreCleanedToo) {
  EXPECT_EQ(read(all_on(), {words("/tmp"),
                            turn::Failure{turn::ErrorKind::api, "no /tmp/win/x. I am Kiro", "/tmp/win"}}),
            "/tmp!no <workspace>. I am claude-x <workspace>!");
}

TEST(Cleaning, SurrogatesAreJoinedBeforeTheyAreRead) {
  CleaningRules rules = all_on();
  rules.stops = {"\xF0\x9F\x98\x80"};
  EXPECT_EQ(read(rules, {words("x\xED\xA0\xBD"), words("\xED\xB8\x80y")}), "x{\xF0\x9F\x98\x80}D");
  EXPECT_EQ(read(rules, {words("x\xED\xA0\xBD"), thought("t")}), "x\xEF\xBF\xBD[t]");
}

// Shows the output after each byte: the text before what waits.
TEST(Cleaning, HoldsNoMoreThanMayBecomeAMatch) {
  const auto waiting = [](const std::string& text) {
    Cleaning cleaning(all_on());
    std::vector<Event> events;
    cleaning.accept(words(text), events);
    const std::string out = show(events);
    EXPECT_EQ(out, text.substr(0, out.size()));
    return text.substr(out.size());
  };
  for (const auto& [text, waits] : std::vector<Example>{{"x", ""},
                                                        {"x /tm", "/tm"},
                                                        {"/tmp/wi/", "/"},
                                                        {"x I a", "I a"},
                                                        {"x I am a", ""},
                                                        {"xI a", ""},
                                                        {"x I am Kiro", "I am Kiro"},
                                                        {"x `I am Kiro", ""},
                                                        {"{\"a\":\"I am K", ""},
                                                        {"x <user_info", "<user_info"},
                                                        {"x <user_info ", ""},
                                                        {"x ST", "ST"},
                                                        {"x STA", ""}})
    EXPECT_EQ(waiting(text), waits) << text;
  Cleaning cleaning(all_on());
  std::vector<Event> events;
  cleaning.accept(words("x /tmp/win/a.."), events);
  EXPECT_EQ(show(events), "x <workspace>");
  cleaning.accept(words(" y"), events);
  EXPECT_EQ(show(events), "x <workspace>.. y");
}

}  // namespace
}  // namespace splitproof::text::cleaning_test
