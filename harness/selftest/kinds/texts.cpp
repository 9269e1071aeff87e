// Strands with another text in all places. The text is invalid, so that no upstream is needed to detect it,
// or it is another answer.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/dialect/self_test_registry.hpp"
#include "harness/selftest/kinds/strand_kinds.hpp"

namespace splitproof::selftest {
namespace {

using Text = std::optional<std::string>;

constexpr std::string_view kNoJson = "the tool gets invalid JSON, {} or nothing";
constexpr std::string_view kNoInput =
    "a tool needs an object, so the client refuses the call or makes it without input";
constexpr std::string_view kRead = "the user reads text that the model did not write";
constexpr std::string_view kHalf =
    "the client shows half a character, sends it to a tool, or throws when it encodes it";
constexpr std::string_view kByte = "the byte becomes a replacement character, or the event is lost";

// Inserts after the first `":"`, after which a text value begins. Returns nullopt without one.
Text in_a_value(const std::string& text, std::string_view piece) {
  const std::size_t at = text.find("\":\"");
  if (at == std::string::npos) return std::nullopt;
  return text.substr(0, at + 3) + std::string(piece) + text.substr(at + 3);
}

Text before_the_end(const std::string& text, std::string_view piece) {
  if (text.size() < 3 || text.back() != '}') return std::nullopt;
  return text.substr(0, text.size() - 1) + std::string(piece) + "}";
}

// Content that no text may have.
constexpr auto kBroken = std::to_array<TextOperator>({
    {{"half-surrogate", Effect::shape, kHalf},
     [](const std::string& t) -> Text { return with_inside(t, dialect::kHighSurrogate); }},
    {{"bad-byte", Effect::shape, kByte},
     [](const std::string& t) -> Text { return with_inside(t, dialect::kBadByte); }},
    {{"half-character", Effect::shape, "the character is lost"},
     [](const std::string& t) -> Text { return with_inside(t, dialect::kHalfCharacter); }},
    {{"raw-control", Effect::shape, "no JSON reader accepts the event"},
     [](const std::string& t) -> Text { return with_inside(t, dialect::kRawControl); }},
});

constexpr auto kArguments = std::to_array<TextOperator>({
    {{"two-objects", Effect::shape, kNoJson}, [](const std::string& t) -> Text { return t + t; }},
    {{"other-object-behind", Effect::shape, kNoJson},
     [](const std::string& t) -> Text { return t + R"({"other":1})"; }},
    {{"cut-short", Effect::shape, kNoJson}, [](const std::string& t) -> Text { return first_half(t); }},
    {{"last-brace-lost", Effect::shape, kNoJson},
     [](const std::string& t) -> Text { return t.substr(0, t.size() - 1); }},
    {{"first-brace-lost", Effect::shape, kNoJson}, [](const std::string& t) -> Text { return t.substr(1); }},
    {{"brace-too-many", Effect::shape, kNoJson}, [](const std::string& t) -> Text { return t + "}"; }},
    {{"as-list", Effect::shape, kNoInput}, [](const std::string& t) -> Text { return "[" + t + "]"; }},
    {{"as-text", Effect::shape, kNoInput},
     [](const std::string& t) -> Text { return nlohmann::json(t).dump(); }},
    {{"as-number", Effect::shape, kNoInput}, [](const std::string&) -> Text { return "7"; }},
    {{"as-null", Effect::shape, kNoInput}, [](const std::string&) -> Text { return "null"; }},
    {{"as-true", Effect::shape, kNoInput}, [](const std::string&) -> Text { return "true"; }},
    {{"as-prose", Effect::shape, kNoJson}, [](const std::string&) -> Text { return "Leith, please."; }},
    {{"as-assignments", Effect::shape, kNoJson}, [](const std::string&) -> Text { return "harbour=Leith"; }},
    {{"as-yaml", Effect::shape, kNoJson}, [](const std::string&) -> Text { return "harbour: Leith\n"; }},
    {{"as-undefined", Effect::shape, kNoJson}, [](const std::string&) -> Text { return "undefined"; }},
    {{"as-printed-object", Effect::shape, kNoJson},
     [](const std::string&) -> Text { return "[object Object]"; }},
    {{"blank", Effect::shape, kNoJson}, [](const std::string&) -> Text { return "  "; }},
    {{"single-quotes", Effect::shape, kNoJson},
     [](const std::string& t) -> Text { return replaced_all(t, "\"", "'"); }},
    {{"bare-keys", Effect::shape, kNoJson},
     [](const std::string& t) -> Text { return replaced_all(replaced_all(t, "{\"", "{"), "\":", ":"); }},
    {{"trailing-comma", Effect::shape, kNoJson},
     [](const std::string& t) -> Text { return before_the_end(t, ","); }},
    {{"comment-inside", Effect::shape, kNoJson},
     [](const std::string& t) -> Text { return before_the_end(t, "/* tide */"); }},
    {{"not-a-number", Effect::shape, kNoJson},
     [](const std::string& t) -> Text { return before_the_end(t, ",\"n\":NaN"); }},
    {{"python-words", Effect::shape, kNoJson},
     [](const std::string& t) -> Text { return before_the_end(t, ",\"now\":True"); }},
    {{"leading-zero", Effect::shape, kNoJson},
     [](const std::string& t) -> Text { return before_the_end(t, ",\"n\":07"); }},
    {{"fenced", Effect::shape, kNoJson},
     [](const std::string& t) -> Text { return "```json\n" + t + "\n```"; }},
    {{"prose-before", Effect::shape, kNoJson}, [](const std::string& t) -> Text { return "Sure: " + t; }},
    {{"prose-behind", Effect::shape, kNoJson}, [](const std::string& t) -> Text { return t + " Done."; }},
    {{"raw-newline", Effect::shape, kNoJson},
     [](const std::string& t) -> Text { return in_a_value(t, "\n"); }},
    {{"raw-control", Effect::shape, kNoJson},
     [](const std::string& t) -> Text { return in_a_value(t, "\x01"); }},
    {{"unknown-escape", Effect::shape, kNoJson},
     [](const std::string& t) -> Text { return in_a_value(t, "\\x41"); }},
    {{"escaped-twice", Effect::shape, kNoJson},
     [](const std::string& t) -> Text { return replaced_all(t, "\"", "\\\""); }},
    {{"byte-order-mark-before", Effect::shape, kNoJson},
     [](const std::string& t) -> Text { return "\xEF\xBB\xBF" + t; }},
    {{"half-surrogate", Effect::shape, kHalf},
     [](const std::string& t) -> Text { return in_a_value(t, dialect::kHighSurrogate); }},
    {{"bad-byte", Effect::shape, kByte},
     [](const std::string& t) -> Text { return in_a_value(t, dialect::kBadByte); }},
});

constexpr auto kInputs = std::to_array<TextOperator>({
    {{"replacement-character", Effect::shape, "a character of the input is lost"},
     [](const std::string& t) -> Text { return with_inside(t, "\xEF\xBF\xBD"); }},
    {{"markup-behind", Effect::shape, "the tool gets the model's internal notation"},
     [](const std::string& t) -> Text { return t + "<|im_end|>"; }},
});

bool is_ascii(const std::string& text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  }
  return true;
}

// Returns UTF-8 that was read as Latin-1 and written as UTF-8 again.
std::string mojibake(const std::string& text) {
  std::string made;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      made += c;
    } else {
      made += static_cast<char>(0xC0 | (byte >> 6));
      made += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return made;
}

std::string only_ascii(const std::string& text, std::string_view in_place) {
  std::string made;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) made += c;
    if (byte >= 0xC0) made += in_place;
  }
  return made;
}

constexpr auto kProse = std::to_array<TextOperator>({
    {{"half-surrogate-at-the-end", Effect::shape, kHalf},
     [](const std::string& t) -> Text { return t + std::string(dialect::kHighSurrogate); }},
    {{"low-half-first", Effect::shape, kHalf},
     [](const std::string& t) -> Text { return std::string(dialect::kLowSurrogate) + t; }},
    {{"halves-in-the-wrong-order", Effect::shape,
      "the client shows two halves, or throws when it encodes them"},
     [](const std::string& t) -> Text {
       return with_inside(t, std::string(dialect::kLowSurrogate) + std::string(dialect::kHighSurrogate));
     }},
    {{"replacement-character", Effect::content, "a character of the answer is lost"},
     [](const std::string& t) -> Text {
       return is_ascii(t) ? std::nullopt : Text(only_ascii(t, "\xEF\xBF\xBD"));
     }},
    {{"question-marks", Effect::content, "a character of the answer is lost"},
     [](const std::string& t) -> Text { return is_ascii(t) ? std::nullopt : Text(only_ascii(t, "?")); }},
    {{"read-as-latin-1", Effect::content, kRead},
     [](const std::string& t) -> Text { return is_ascii(t) ? std::nullopt : Text(mojibake(t)); }},
    {{"newlines-escaped", Effect::content, kRead},
     [](const std::string& t) -> Text {
       return t.find('\n') == std::string::npos ? std::nullopt : Text(replaced_all(t, "\n", "\\n"));
     }},
    {{"quoted", Effect::content, kRead},
     [](const std::string& t) -> Text { return nlohmann::json(t).dump(); }},
    {{"html-escaped", Effect::content, kRead},
     [](const std::string& t) -> Text { return t + " &amp; more"; }},
    {{"blanks-lost", Effect::content, "words run together"},
     [](const std::string& t) -> Text { return replaced_all(t, " ", ""); }},
    {{"trimmed-at-the-end", Effect::content, "the next text joins it"},
     [](const std::string& t) -> Text {
       const std::size_t end = t.find_last_not_of(" \n");
       return end + 1 == t.size() ? std::nullopt : Text(t.substr(0, end + 1));
     }},
    {{"upper-case", Effect::content, kRead},
     [](const std::string& t) -> Text {
       std::string made = t;
       for (char& c : made) {
         if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
       }
       return made;
     }},
    {{"twice", Effect::content, "the client shows the answer twice"},
     [](const std::string& t) -> Text { return t + t; }},
    {{"half", Effect::content, "half of the answer is lost"},
     [](const std::string& t) -> Text { return first_half(t); }},
    {{"reversed-words", Effect::content, kRead},
     [](const std::string& t) -> Text {
       const std::size_t at = t.find(' ');
       return at == std::string::npos || at + 1 >= t.size() ? std::nullopt
                                                            : Text(t.substr(at + 1) + " " + t.substr(0, at));
     }},
    {{"think-tags-around", Effect::shape, "the user reads a hidden thought"},
     [](const std::string& t) -> Text { return "<think>Ask the gauge.</think>" + t; }},
    {{"end-of-turn-mark", Effect::shape, "the user reads the model's internal notation"},
     [](const std::string& t) -> Text { return t + "<|im_end|>"; }},
    {{"page-as-text", Effect::content, "the client shows a failure as an answer and does not retry"},
     [](const std::string&) -> Text { return "<html><body><h1>502 Bad Gateway</h1></body></html>"; }},
});

}  // namespace

void add_argument_kinds(KindList& kinds) {
  add_text_kinds(kinds, "arguments", StringKind::arguments, kArguments);
  add_text_kinds(kinds, "arguments", StringKind::input, kBroken);
  add_text_kinds(kinds, "arguments", StringKind::input, kInputs);
}

void add_prose_kinds(KindList& kinds) {
  add_text_kinds(kinds, "prose", StringKind::prose, kBroken);
  add_text_kinds(kinds, "prose", StringKind::prose, kProse);
  const auto add = [&](std::span<const dialect::ForeignText> texts) {
    for (const dialect::ForeignText& text : texts)
      add_text_kinds(kinds, text.family, text.nature, std::span(&text.what, 1));
  };
  add(dialect::foreign_texts());
  for (const dialect::SelfTested& one : dialect::self_tested()) add(one.words->foreign_texts);
}

}  // namespace splitproof::selftest
