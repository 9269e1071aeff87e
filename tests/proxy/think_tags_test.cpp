#include "proxy/text/think_tags.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <variant>
#include <vector>

namespace splitproof::text::think_tags_test {
namespace {

using turn::BlockKind;
using turn::Event;

turn::Prose words(std::string text) { return {BlockKind::text, std::move(text)}; }
turn::Prose thought(std::string text) { return {BlockKind::thinking, std::move(text)}; }
turn::Prose refusal(std::string text) { return {BlockKind::refusal, std::move(text)}; }
const turn::CallPiece kCall{0, 0, "i", "f", "{}"};

// Returns joined prose of one kind: thinking as [..], refusals as {..}; other events as a letter.
std::string read(const std::vector<Event>& said, ThinkTagRule rule = ThinkTagRule::reroute) {
  ThinkTags tags(rule);
  std::vector<Event> events;
  for (const Event& event : said) tags.accept(event, events);
  tags.finish(events);
  std::string text;
  for (const Event& event : events) {
    if (const auto* prose = std::get_if<turn::Prose>(&event)) {
      EXPECT_NE(prose->text, "");
      const char close = prose->kind == BlockKind::thinking  ? ']'
                         : prose->kind == BlockKind::refusal ? '}'
                                                             : '\0';
      const std::string shown = close == ']'   ? "[" + prose->text + "]"
                                : close == '}' ? "{" + prose->text + "}"
                                               : prose->text;
      const std::string seam = close == ']' ? "][" : "}{";
      text += shown;
      const std::size_t at = text.size() - shown.size();
      if (close != '\0' && at > 0 && text.substr(at - 1, 2) == seam) text.erase(at - 1, 2);
    } else {
      text += "BPSCUFDEX"[event.index()];
    }
  }
  return text;
}

// The definition, on the joined text.
std::string meant(const std::string& text) {
  const std::string open = "<think>";
  const std::string close = "</think>";
  if (text.compare(0, open.size(), open) != 0) return text;
  const std::size_t end = text.find(close, open.size());
  const std::string thinking = text.substr(open.size(), end == std::string::npos ? end : end - open.size());
  return (thinking.empty() ? "" : "[" + thinking + "]") +
         (end == std::string::npos ? "" : text.substr(end + close.size()));
}

// With all pairs of cuts, and in single characters.
TEST(ThinkTags, AreFoundWhereverTheTextWasCut) {
  std::size_t cuts = 0;
  for (const std::string text : {"<think>plan</think>answer",
                                 "<think>plan</think>",
                                 "<think></think>answer",
                                 "<think>",
                                 "<think>plan",
                                 "<think>plan</think>a<think>b</think>",
                                 "<think>a</thin</think>b",
                                 "<think>a<</<//think></think></think>",
                                 "<think><think>a</think>b",
                                 "<think>a</THINK>b",
                                 "<think>\n\na \n</think>\n\nb ",
                                 "<think>a</think >b</think>",
                                 " <think>a</think>b",
                                 "\n<think>a</think>b",
                                 "<thinking>a</thinking>b",
                                 "<thin",
                                 "<",
                                 "<<think>a</think>b",
                                 "</think>a",
                                 "a<think>b</think>c",
                                 "<Think>a</think>b",
                                 "<think a</think>b",
                                 "<think>a</think",
                                 "",
                                 "<think>\xED\xA0\xBD</think>\xED\xB8\x80"}) {
    SCOPED_TRACE(text);
    std::vector<Event> characters;
    for (const char c : text) characters.push_back(words(std::string(1, c)));
    EXPECT_EQ(read(characters), meant(text));
    for (std::size_t a = 0; a <= text.size(); ++a) {
      for (std::size_t b = a; b <= text.size(); ++b, ++cuts) {
        std::vector<Event> pieces;
        for (const std::string& piece : {text.substr(0, a), text.substr(a, b - a), text.substr(b)}) {
          if (!piece.empty()) pieces.push_back(words(piece));
        }
        ASSERT_EQ(read(pieces), meant(text)) << a << " " << b;
      }
    }
  }
  std::cout << cuts << " ways to cut\n";
}

TEST(ThinkTags, OnlyAtTheHeadOfTheAnswer) {
  EXPECT_EQ(read({thought("t"), words("<think>a</think>b")}), "[t]<think>a</think>b");
  EXPECT_EQ(read({refusal("r"), words("<think>a</think>b")}), "{r}<think>a</think>b");
  EXPECT_EQ(read({kCall, words("<think>a</think>b")}), "C<think>a</think>b");
  EXPECT_EQ(read({turn::Begin{}, turn::Usage{}, words("<think>a</think>b")}), "BU[a]b");
}

TEST(ThinkTags, WhatWaitsComesOutBeforeAnythingElseBegins) {
  EXPECT_EQ(read({words("<th"), thought("t"), words("ink>a")}), "<th[t]ink>a");
  EXPECT_EQ(read({words("<th"), kCall, words("ink>a")}), "<thCink>a");
  EXPECT_EQ(read({words("<th"), refusal("r")}), "<th{r}");
  EXPECT_EQ(read({words("<th"), turn::Done{}}), "<thD");
  EXPECT_EQ(read({words("<th"), turn::Failure{}}), "<thE");
  EXPECT_EQ(read({words("<think>a</th"), turn::Failure{}}), "[a</th]E");
  EXPECT_EQ(read({words("<th"), turn::Usage{}, turn::Finished{}, words("ink>a")}), "UF[a]");
}

TEST(ThinkTags, TheSpanOutlivesWhatComesWithinIt) {
  EXPECT_EQ(read({words("<think>a</th"), kCall, words("ink>b</think>c")}), "[a</th]C[ink>b]c");
  EXPECT_EQ(read({words("<think>a"), thought("t"), words("b</think>c")}), "[atb]c");
}

// A tag is inside one part of the upstream's answer.
TEST(ThinkTags, PartsStayApart) {
  const auto words_of = [](std::size_t part, std::string said) {
    return turn::Prose{BlockKind::text, std::move(said), part};
  };
  ThinkTags tags(ThinkTagRule::reroute);
  std::vector<Event> events;
  for (const Event& event :
       {Event(words_of(1, "<think>a</th")), Event(words_of(2, "ink>b</think>c")), Event(words_of(3, "<"))})
    tags.accept(event, events);
  const auto thought_of = [](std::size_t part, std::string said) {
    return turn::Prose{BlockKind::thinking, std::move(said), part};
  };
  EXPECT_EQ(events, (std::vector<Event>{thought_of(1, "a"), thought_of(1, "</th"), thought_of(2, "ink>b"),
                                        words_of(2, "c"), words_of(3, "<")}));
  EXPECT_EQ(read({words_of(0, "<th"), words_of(1, "ink>a")}), "<think>a");
  EXPECT_EQ(read({words_of(0, "<th"), words_of(1, "<think>a")}), "<th<think>a");
  EXPECT_EQ(read({words_of(1, "<th"), turn::Close{1}, words_of(1, "ink>a")}), "<thXink>a");
  EXPECT_EQ(read({words_of(1, "<th"), turn::Close{0}, words_of(1, "ink>a")}), "X[a]");
}

TEST(ThinkTags, OnlyWhatMayBeATagWaits) {
  for (const auto& [piece, said] :
       std::vector<std::pair<std::string, std::string>>{{"<think>a", "a"},
                                                        {"<think>a</think", "a"},
                                                        {"<think>a</thinks", "a</thinks"},
                                                        {"<think>a<", "a"},
                                                        {"<think>a< ", "a< "},
                                                        {"<thinks", "<thinks"},
                                                        {"<", ""},
                                                        {"a", "a"}}) {
    ThinkTags tags(ThinkTagRule::reroute);
    std::vector<Event> events;
    tags.accept(words(piece), events);
    std::string out;
    for (const Event& event : events) out += std::get<turn::Prose>(event).text;
    EXPECT_EQ(out, said) << piece;
  }
}

TEST(ThinkTags, MayBeLeftAlone) {
  EXPECT_EQ(read({words("<think>a</think>b")}, ThinkTagRule::leave), "<think>a</think>b");
  EXPECT_EQ(read({words("<th"), kCall}, ThinkTagRule::leave), "<thC");
}

}  // namespace
}  // namespace splitproof::text::think_tags_test
