#include "harness/observe/wire_json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/json_progress.hpp"
#include "harness/observe/surrogates.hpp"
#include "harness/strict_json.hpp"
#include "harness/utf8.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::observe::wire_json_test {
namespace {

using nlohmann::json;
using Kind = WireJson::Kind;

const std::string kSamples[] = {
    R"({"a":[1,-2.5e+3,0,true,false,null,""],"b":{"c":"\"\\\/\b\f\n\r\t\u00e9\uD83C\udf0a"},"a":"again"})",
    " [ { } , [ ] , \"x\" ]\r\n\t",
    R"({"n":[1E400,1e-400,0.0000001,179769313486231570000e288,17976931348623158e292,0e999,-1e309]})",
    R"("\u12)",
    R"({"unicode":"北 — ","k":"v"})",
    "-0.10",
    "null",
};

/// Returns the value in the library's own type.
json tree(const WireJson& value) {
  json made;
  switch (value.kind) {
    case Kind::null:
    case Kind::boolean:
    case Kind::number:
      return json::parse(value.raw);
    case Kind::string:
      return value.text;
    case Kind::array:
      made = json::array();
      for (const WireJson& child : value.children) made.push_back(tree(child));
      return made;
    case Kind::object:
      made = json::object();
      for (const WireJson& child : value.children) made[child.key] = tree(child);
      return made;
  }
  return made;
}

/// True if only the strict reader refuses the text, and RFC 8259 allows it.
bool only_strictness(const JsonFault& fault) {
  return fault.reason.find("surrogate") != fault.reason.npos ||
         fault.reason.find("double") != fault.reason.npos;
}

/// Tries the samples, and each with one byte changed, removed or added, if that is UTF-8.
template <class Test>
void for_each_mutant(int count, Test test) {
  std::mt19937 random(7);
  constexpr std::string_view kBytes = "{}[]\",:\\u0189dDcCeE+-. ntf\x01\x7F\n";
  for (const std::string& sample : kSamples) {
    test(sample);
    for (int i = 0; i < count; ++i) {
      std::string text = sample;
      const std::size_t at = random() % text.size();
      const char byte = kBytes[random() % kBytes.size()];
      if (i % 3 == 0) text[at] = byte;
      if (i % 3 == 1) text.erase(at, 1);
      if (i % 3 == 2) text.insert(at, 1, byte);
      if (find_ill_formed_utf8(text) == text.npos) test(text);
    }
  }
}

TEST(WireJson, SaysWhatTheStrictReaderSaysAndTakesAllOfTheGrammar) {
  std::size_t read = 0;
  for_each_mutant(1500, [&](const std::string& text) {
    const auto wire = parse_wire_json(text);
    const auto strict = parse_strict_json(text);
    if (strict) {
      ASSERT_TRUE(wire) << text;
      EXPECT_EQ(tree(*wire), **strict) << text;
      ++read;
    } else {
      EXPECT_EQ(wire.has_value(), only_strictness(strict.error()) && is_one_json_value(text)) << text;
    }
  });
  EXPECT_GT(read, 1000u);
}

TEST(WireJson, KeepsTheBytesOfEachValue) {
  const std::string text = R"({"a": [ 1.50 , {"b":1} ] , "a":-0})";
  const auto wire = parse_wire_json(text);
  ASSERT_TRUE(wire);
  EXPECT_EQ(wire->raw, text);
  EXPECT_EQ(wire->children[0].raw, R"([ 1.50 , {"b":1} ])");
  EXPECT_EQ(wire->children[0].children[0].raw, "1.50");
  EXPECT_EQ(wire->at("a").raw, "-0");
  EXPECT_TRUE(wire->at("b").absent());
  EXPECT_TRUE(wire->at("a").at("b").absent());
}

TEST(WireJson, NestsAsDeepAsAllowedAndNoDeeper) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_TRUE(parse_wire_json(nested(kMaxWireDepth)));
  EXPECT_FALSE(parse_wire_json(nested(kMaxWireDepth + 1)));
  EXPECT_FALSE(parse_wire_json(nested(1000000)));
}

TEST(WireJson, AcceptsHalvesOfSurrogatePairs) {
  for (const char* text : {R"("a\ud83c")", R"("\udf0ab")", R"("\ud83c\ud83c")", R"("\ud83cx\udf0a")",
                           R"("\ud83c\n")", R"({"\ud83c":1})"}) {
    EXPECT_TRUE(parse_wire_json(text)) << text;
  }
  EXPECT_FALSE(parse_wire_json(R"("\ud83c\u")"));
  EXPECT_FALSE(parse_wire_json(R"("\ud83c\x")"));
}

/// Returns the joined text of the pieces, written as JSON strings.
std::string joined(const std::vector<std::string>& pieces, SurrogateJoiner surrogates = {}) {
  std::string text;
  for (const std::string& piece : pieces) {
    const auto wire = parse_wire_json('"' + piece + '"');
    EXPECT_TRUE(wire) << piece;
    text += surrogates.join(wire->text);
    EXPECT_EQ(find_ill_formed_utf8(text), std::string::npos);
  }
  return text += surrogates.close();
}

TEST(SurrogateJoiner, JoinAcrossPiecesAndOnlyThen) {
  const std::string wave = "\xF0\x9F\x8C\x8A";
  const std::string lost = "\xEF\xBF\xBD";
  EXPECT_EQ(joined({R"(a\ud83c\udf0ab)"}), "a" + wave + "b");
  EXPECT_EQ(joined({R"(a\ud83c)", R"(\udf0ab)"}), "a" + wave + "b");
  EXPECT_EQ(joined({R"(\ud83c)", "", R"(\udf0a)"}), wave);
  EXPECT_EQ(joined({R"(\ud83c)", R"(\udf0a\ud83c)", R"(\udf0a)"}), wave + wave);
  EXPECT_EQ(joined({R"(a\ud83c)", "b"}), "a" + lost + "b");
  EXPECT_EQ(joined({R"(a\ud83c)", R"(\ud83c)", R"(\udf0a)"}), "a" + lost + wave);
  EXPECT_EQ(joined({R"(a\ud83cb\udf0a)"}), "a" + lost + "b" + lost);
  EXPECT_EQ(joined({R"(\u0041\udf0a)"}), "A" + lost);
  EXPECT_EQ(joined({"a", R"(\udf0ab)"}), "a" + lost + "b");
  EXPECT_EQ(joined({R"(a\ud83c)"}), "a" + lost);
  EXPECT_EQ(joined({R"(\udbff)", R"(\udfff)"}), "\xF4\x8F\xBF\xBF");
  EXPECT_EQ(joined({R"(\ud800)", R"(\udc00)"}), "\xF0\x90\x80\x80");
  EXPECT_EQ(joined({"\xED\x9F\xBF\xEE\x80\x80"}), "\xED\x9F\xBF\xEE\x80\x80")
      << "neighbours of the surrogates";
}

TEST(SurrogateJoiner, TextPutTogetherJoinsAsThePiecesDo) {
  const std::string high = "\xED\xA0\xBD";
  const std::string low = "\xED\xB8\x80";
  const std::vector<std::string> kPieces = {"",   "a", "\xC3\xA9", "\xED\x95\x9C",
                                            high, low, "a" + high, low + "b"};
  for (const std::string& a : kPieces) {
    for (const std::string& b : kPieces) {
      for (const std::string& c : kPieces) {
        SurrogateJoiner surrogates;
        std::string joined = surrogates.join(a);
        joined += surrogates.join(b);
        joined += surrogates.join(c);
        joined += surrogates.close();
        EXPECT_EQ(replace_surrogates(join_surrogates(a + b + c)), joined);
      }
    }
  }
  EXPECT_EQ(join_surrogates(low + high), low + high);
  EXPECT_EQ(first_surrogate("a" + high + low), 0xD83D);
  EXPECT_EQ(first_surrogate("\xED\x95\x9C" + low), 0xDE00);
  EXPECT_EQ(first_surrogate("\xED\x95\x9C\xED"), std::nullopt);
}

TEST(SurrogateJoiner, SayWhatBecameOfSurrogates) {
  SurrogateJoiner surrogates;
  EXPECT_EQ(surrogates.join("a\xED\xA0\xBC"), "a");
  EXPECT_TRUE(surrogates.waiting());
  EXPECT_FALSE(surrogates.joined());
  EXPECT_EQ(surrogates.join("\xED\xBC\x8A"), "\xF0\x9F\x8C\x8A");
  EXPECT_TRUE(surrogates.joined());
  EXPECT_FALSE(surrogates.waiting());
  EXPECT_FALSE(surrogates.broken());
  EXPECT_EQ(surrogates.join("\xED\xBC\x8A"), "\xEF\xBF\xBD");
  EXPECT_TRUE(surrogates.broken());
}

TEST(SurrogateJoiner, KnowWhatMayGoOnWithTheHalfThatWaits) {
  SurrogateJoiner surrogates;
  EXPECT_TRUE(surrogates.goes_on_in("a"));
  surrogates.join("\xED\xA0\xBC");
  for (const char* fits : {"", "\xEF\xBF\xBD", "\xF0\x9F\x80\x80", "\xF0\x9F\x8C\x8A!", "\xF0\x9F\x8F\xBF"})
    EXPECT_TRUE(surrogates.goes_on_in(fits)) << fits;
  for (const char* other : {"a", "\xEF\xBF\xBC", "\xF0\x9E\xBF\xBF", "\xF0\x9F\x90\x80"})
    EXPECT_FALSE(surrogates.goes_on_in(other)) << other;
}

TEST(JsonProgress, IsCompleteExactlyWhereAValueIs) {
  std::size_t complete = 0;
  for_each_mutant(kSanitized ? 60 : 300, [&](const std::string& text) {
    JsonProgress progress;
    for (std::size_t size = 1; size <= text.size(); ++size) {
      progress.take(std::string_view(text).substr(size - 1, 1));
      const auto strict = parse_strict_json(text.substr(0, size));
      const bool value = strict || (progress.complete() && only_strictness(strict.error()));
      const bool open_number = value && trim_json(text.substr(0, size)).find_first_of("0123456789") < 2 &&
                               !is_blank_json(text.substr(size - 1, 1));
      ASSERT_EQ(is_one_json_value(text.substr(0, size)), value) << text.substr(0, size);
      ASSERT_EQ(progress.complete(), value && !open_number) << text.substr(0, size);
      complete += progress.complete();
    }
  });
  EXPECT_GT(complete, kSanitized ? 60U : 300U);
}

TEST(JsonProgress, DoesNotDependOnThePieces) {
  for (const std::string& text : kSamples) {
    JsonProgress whole;
    JsonProgress in_two;
    whole.take(text);
    in_two.take(text.substr(0, text.size() / 2));
    in_two.take(text.substr(text.size() / 2));
    EXPECT_EQ(whole, in_two);
  }
}

TEST(JsonProgress, TrimsWhatJsonCallsWhiteSpaceAndNothingElse) {
  EXPECT_EQ(trim_json(" \t\r\n{ }\n"), "{ }");
  EXPECT_EQ(trim_json("\f{}\v"), "\f{}\v");
  EXPECT_TRUE(is_blank_json(" \n"));
  EXPECT_TRUE(is_blank_json(""));
  EXPECT_FALSE(is_blank_json("\xC2\xA0"));
}

}  // namespace
}  // namespace splitproof::observe::wire_json_test
