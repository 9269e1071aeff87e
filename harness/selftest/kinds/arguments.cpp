// What tools are called with, said in another way in all places: wrong in itself, so that no upstream is needed to see it.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/selftest/kinds/text_operator.hpp"

namespace splitproof::selftest {
namespace {

using Text = std::optional<std::string>;

constexpr std::string_view kNoJson = "the tool gets what no JSON reader takes, or {} or nothing in its place";
constexpr std::string_view kNoObject = "a tool takes an object, so the call is refused or made without input";

// Behind the first `":"`, which is where a text value begins; nothing where there is none.
Text in_a_value(const std::string& text, std::string_view piece) {
  const std::size_t at = text.find("\":\"");
  if (at == std::string::npos) return std::nullopt;
  return text.substr(0, at + 3) + std::string(piece) + text.substr(at + 3);
}

Text before_the_end(const std::string& text, std::string_view piece) {
  if (text.size() < 3 || text.back() != '}') return std::nullopt;
  return text.substr(0, text.size() - 1) + std::string(piece) + "}";
}

constexpr auto kOperators = std::to_array<TextOperator>({
    {{"two-objects", Effect::shape, kNoJson}, [](const std::string& t) -> Text { return t + t; }},
    {{"other-object-behind", Effect::shape, kNoJson},
     [](const std::string& t) -> Text { return t + R"({"other":1})"; }},
    {{"cut-short", Effect::shape, kNoJson}, [](const std::string& t) -> Text { return first_half(t); }},
    {{"last-brace-lost", Effect::shape, kNoJson},
     [](const std::string& t) -> Text { return t.substr(0, t.size() - 1); }},
    {{"first-brace-lost", Effect::shape, kNoJson}, [](const std::string& t) -> Text { return t.substr(1); }},
    {{"brace-too-many", Effect::shape, kNoJson}, [](const std::string& t) -> Text { return t + "}"; }},
    {{"as-list", Effect::shape, kNoObject}, [](const std::string& t) -> Text { return "[" + t + "]"; }},
    {{"as-text", Effect::shape, kNoObject},
     [](const std::string& t) -> Text { return nlohmann::json(t).dump(); }},
    {{"as-number", Effect::shape, kNoObject}, [](const std::string&) -> Text { return "7"; }},
    {{"as-null", Effect::shape, kNoObject}, [](const std::string&) -> Text { return "null"; }},
    {{"as-true", Effect::shape, kNoObject}, [](const std::string&) -> Text { return "true"; }},
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
    {{"markup-behind", Effect::shape, kNoJson},
     [](const std::string& t) -> Text { return t + "</tool_call>"; }},
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
    {{"half-surrogate", Effect::shape, "half a character reaches the tool, or an exception the client"},
     [](const std::string& t) -> Text { return in_a_value(t, dialect::kHighHalf); }},
    {{"bad-byte", Effect::shape, "the byte becomes a replacement character, or the event is lost"},
     [](const std::string& t) -> Text { return in_a_value(t, dialect::kBadByte); }},
});

constexpr auto kInputs = std::to_array<TextOperator>({
    {{"half-surrogate", Effect::shape, "half a character reaches the tool, or an exception the client"},
     [](const std::string& t) -> Text { return with_inside(t, dialect::kHighHalf); }},
    {{"bad-byte", Effect::shape, "the byte becomes a replacement character, or the event is lost"},
     [](const std::string& t) -> Text { return with_inside(t, dialect::kBadByte); }},
    {{"half-character", Effect::shape, "the character is lost"},
     [](const std::string& t) -> Text { return with_inside(t, dialect::kHalfCharacter); }},
    {{"raw-control", Effect::shape, "no JSON reader takes the event"},
     [](const std::string& t) -> Text { return with_inside(t, dialect::kRawControl); }},
    {{"replacement-character", Effect::shape, "a character of the input is lost"},
     [](const std::string& t) -> Text { return with_inside(t, "\xEF\xBF\xBD"); }},
    {{"markup-behind", Effect::shape, "the tool runs the model's own notation"},
     [](const std::string& t) -> Text { return t + "<|im_end|>"; }},
});

}  // namespace

void add_argument_kinds(KindList& kinds) {
  add_text_kinds(kinds, "arguments", Nature::arguments, kOperators);
  add_text_kinds(kinds, "arguments", Nature::input, kInputs);
}

}  // namespace splitproof::selftest
