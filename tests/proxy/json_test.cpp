#include "proxy/wire/json.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "harness/recording/corpus.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::wire::json_test {
namespace {

constexpr std::size_t kDepth = 1000;

bool accepted(std::string_view text) {
  const JsonDocument document(text, kDepth);
  EXPECT_EQ(document.fault(), check_json(text, kDepth)) << text;
  EXPECT_EQ(document.fault() == JsonFault::none, static_cast<bool>(document.root())) << text;
  return document.fault() == JsonFault::none;
}

// Another parser's result, if it uses the same grammar. It treats a NUL as the end, skips a byte order mark, and
// refuses lone surrogates and numbers out of range.
enum class Opinion { json, not_json, none };

struct Refusal : nlohmann::json_sax<nlohmann::json> {
  std::string why;
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) override {
    why = error.what();
    return false;
  }
};

Opinion opinion(const std::string& text) {
  if (text.find('\0') != std::string::npos || text.starts_with("\xEF")) return Opinion::none;
  Refusal refusal;
  if (nlohmann::json::sax_parse(text, &refusal)) return Opinion::json;
  const bool ours = refusal.why.find("surrogate") != std::string::npos ||
                    refusal.why.find("out_of_range") != std::string::npos;
  return ours ? Opinion::none : Opinion::not_json;
}

void expect_same(const Json& ours, const nlohmann::json& other) {
  switch (ours.kind()) {
    case JsonKind::string:
      ASSERT_TRUE(other.is_string());
      EXPECT_EQ(ours.text(), other.get<std::string>());
      break;
    case JsonKind::object:
      ASSERT_TRUE(other.is_object());
      EXPECT_EQ(ours.empty(), other.empty());
      for (const auto& member : other.items()) expect_same(ours[member.key()], member.value());
      break;
    case JsonKind::array: {
      ASSERT_TRUE(other.is_array());
      Json element = ours.first();
      for (const nlohmann::json& expected : other) {
        expect_same(element, expected);
        element = element.next();
      }
      EXPECT_FALSE(element);
      break;
    }
    default:
      EXPECT_EQ(nlohmann::json::parse(ours.raw()), other);
      EXPECT_EQ(ours.count().has_value(), other.is_number_unsigned());
      EXPECT_EQ(ours.count().value_or(0), other.is_number_unsigned() ? other.get<std::uint64_t>() : 0);
  }
}

std::vector<std::string> chunks() {
  std::vector<std::string> texts;
  for (const recording::Recording& recording :
       recording::load_corpus({std::getenv("SPLITPROOF_CORPUS")}).recordings) {
    for (std::size_t at = 0; (at = recording.body.find("data: {", at)) != std::string::npos;) {
      const std::size_t end = recording.body.find_first_of("\r\n", at);
      texts.push_back(recording.body.substr(at + 6, end - at - 6));
      at = end;
    }
  }
  return texts;
}

TEST(Json, ShortTextsAreJudgedAsAnotherParserDoes) {
  const std::string alphabet = "{}[]\",:10-.e\\u t";
  std::size_t texts = 0;
  std::size_t taken = 0;
  for (std::size_t size = 0; size <= 4; ++size) {
    std::vector<std::size_t> letters(size, 0);
    while (true) {
      std::string text;
      for (const std::size_t letter : letters) text += alphabet[letter];
      ASSERT_EQ(accepted(text), nlohmann::json::accept(text)) << text;
      ++texts;
      taken += accepted(text) ? 1 : 0;
      std::size_t at = 0;
      while (at < size && ++letters[at] == alphabet.size()) letters[at++] = 0;
      if (at == size) break;
    }
  }
  std::cout << texts << " texts, " << taken << " of them JSON\n";
  EXPECT_GT(taken, 100U);
}

TEST(Json, ChunksAreReadAsAnotherParserDoesWholeAndBroken) {
  std::mt19937 random(7);
  std::size_t broken = 0;
  const std::string bytes = "{}[]\",:09-.eE+\\u/bdDfnrt \n\x80\xC3\xA9\xED\xF4";
  for (const std::string& chunk : sampled(chunks(), 4)) {
    SCOPED_TRACE(chunk);
    if (opinion(chunk) == Opinion::json)
      expect_same(JsonDocument(chunk, kDepth).root(), nlohmann::json::parse(chunk));
    for (int round = 0; round < 12; ++round) {
      std::string text = chunk;
      for (int change = 0; change <= round % 3; ++change) {
        const std::size_t at = random() % text.size();
        const char byte = bytes[random() % bytes.size()];
        if (random() % 3 == 0)
          text.erase(at, 1 + random() % 3);
        else if (random() % 2 == 0)
          text.insert(at, 1, byte);
        else
          text[at] = byte;
        if (text.empty()) text = " ";
      }
      const Opinion said = opinion(text);
      if (said == Opinion::none) continue;
      ASSERT_EQ(accepted(text), said == Opinion::json) << text;
      if (said == Opinion::json) expect_same(JsonDocument(text, kDepth).root(), nlohmann::json::parse(text));
      broken += said == Opinion::not_json ? 1 : 0;
    }
  }
  std::cout << broken << " broken chunks\n";
  EXPECT_GT(broken, kSanitized ? 250U : 1000U);
}

TEST(Json, BytesAreUtf8) {
  const std::string edges = "\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xFF";
  for (unsigned lead = 0x80; lead < 0x100; ++lead) {
    const std::string head = "\"" + std::string(1, static_cast<char>(lead));
    std::vector<std::string> texts = {head + "\"", head};
    for (const char a : edges) {
      texts.push_back(head + a + "\"");
      for (const char b : edges) {
        texts.push_back(head + a + b + "\"");
        for (const char c : edges) texts.push_back(head + a + b + c + "\"");
      }
    }
    for (const std::string& text : texts) ASSERT_EQ(accepted(text), nlohmann::json::accept(text)) << text;
  }
}

TEST(Json, WhatTheGrammarAllowsIsTaken) {
  for (const std::string_view text :
       {"1e999", "-1E-999", "123456789012345678901234567890", "[1e400]", "\"\\ud83d\"", "\"\\udE00x\"",
        "{\"\\ud800\":1}", "\"\\uD83D\\u0041\""}) {
    EXPECT_TRUE(accepted(text)) << text;
  }
  for (const std::string_view text : {std::string_view("\xEF\xBB\xBF{}"), std::string_view("{}\0", 3),
                                      std::string_view("{\0}", 3), std::string_view("\"\xED\xA0\xBD\"")}) {
    EXPECT_FALSE(accepted(text)) << text;
  }
}

TEST(Json, HalvesOfPairsStandInThreeBytes) {
  const auto text = [](std::string_view json) { return JsonDocument(json, kDepth).root().text(); };
  EXPECT_EQ(text(R"("\ud83d\ude00")"), "\xF0\x9F\x98\x80");
  EXPECT_EQ(text(R"("\uD83D\uDE00\u00e9")"), "\xF0\x9F\x98\x80\xC3\xA9");
  EXPECT_EQ(text(R"("a\ud83d")"), "a\xED\xA0\xBD");
  EXPECT_EQ(text(R"("\ude00a")"),
            "\xED\xB8\x80"
            "a");
  EXPECT_EQ(text(R"("\ud83d\ud83d\ude00")"), "\xED\xA0\xBD\xF0\x9F\x98\x80");
  EXPECT_EQ(text(R"("\ud83d\\ude00")"), "\xED\xA0\xBD\\ude00");
  EXPECT_EQ(text(R"("\\ud83d")"), "\\ud83d");
  EXPECT_EQ(text(R"("\u0000\b\f\n\r\t\/\"\\")"), std::string("\0\b\f\n\r\t/\"\\", 9));
}

TEST(Json, NestingIsBounded) {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  EXPECT_EQ(check_json(nested(8), 8), JsonFault::none);
  EXPECT_EQ(check_json(nested(9), 8), JsonFault::too_deep);
  EXPECT_EQ(check_json("[[[[[[[[[", 8), JsonFault::too_deep);
  EXPECT_EQ(check_json("{\"a\":[{\"b\":1}]}", 3), JsonFault::none);
  EXPECT_EQ(check_json("{\"a\":[{\"b\":1}]}", 2), JsonFault::too_deep);
  EXPECT_EQ(check_json("[[1],[[1],[\"[[[[\"]]]", 3), JsonFault::none);
  EXPECT_EQ(check_json(std::string(1000000, '['), 2000000), JsonFault::not_json);
}

TEST(Json, ValuesAndKeysAreBounded) {
  const auto list = [](std::size_t values) {
    std::string text = "[0";
    for (std::size_t i = 1; i < values; ++i) text += ",0";
    return text + "]";
  };
  EXPECT_EQ(JsonDocument(list(JsonDocument::kMostNodes - 1), 8).fault(), JsonFault::none);
  const std::string more = list(2 * JsonDocument::kMostNodes);
  EXPECT_EQ(JsonDocument(more, 8).fault(), JsonFault::too_much);
  EXPECT_FALSE(JsonDocument(more, 8).root());
  EXPECT_EQ(check_json(more, 8), JsonFault::none) << "without an index nothing is held";
}

TEST(Json, BytesStayAsTheyStand) {
  const std::string text =
      R"( {"a" : [ 10 , {"b":  {"n":1e400, "n" : 1.50,"s":"}]\"" } } ], "a\u0062":1, "a":[7]} )";
  const JsonDocument document(text, kDepth);
  const Json root = document.root();
  EXPECT_EQ(root.raw(), text.substr(1, text.size() - 2));
  EXPECT_EQ(root["ab"].raw(), "1");
  EXPECT_EQ(root["a"].raw(), "[7]") << "of repeated keys the last";
  const JsonDocument first(R"([ 10 , {"b":  {"n" : 1.50,"s":"}]\"" } } ])", kDepth);
  EXPECT_EQ(first.root().first().raw(), "10");
  EXPECT_EQ(first.root().first().next()["b"].raw(), R"({"n" : 1.50,"s":"}]\"" })");
  EXPECT_EQ(first.root().first().next()["b"]["n"].raw(), "1.50");
}

TEST(Json, NothingComesOfNothing) {
  const Json nothing;
  EXPECT_EQ(nothing.kind(), JsonKind::nothing);
  EXPECT_FALSE(nothing["a"].first().next());
  EXPECT_EQ(nothing.raw(), "");
  EXPECT_EQ(nothing.text(), "");
  EXPECT_FALSE(nothing.count());
  EXPECT_TRUE(nothing.empty());
  const JsonDocument document(R"({"a":{},"b":[],"c":{"d":null}})", kDepth);
  EXPECT_TRUE(document.root()["a"].empty());
  EXPECT_TRUE(document.root()["b"].empty());
  EXPECT_FALSE(document.root()["b"].first());
  EXPECT_FALSE(document.root()["c"].empty());
  EXPECT_TRUE(document.root()["c"]["d"].is(JsonKind::null));
  EXPECT_FALSE(document.root()["c"].first()) << "an object has no elements";
  EXPECT_FALSE(document.root()["a"].next()) << "nor has its value a neighbour";
  EXPECT_FALSE(document.root()["x"]);
}

}  // namespace
}  // namespace splitproof::wire::json_test
