// Words for people, said in another way in all places.

#include <array>
#include <nlohmann/json.hpp>

#include "harness/selftest/kinds/text_operator.hpp"

namespace splitproof::selftest {
namespace {

using Text = std::optional<std::string>;

bool is_ascii(const std::string& text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  }
  return true;
}

// UTF-8 read as Latin-1 and written as UTF-8 again.
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

constexpr std::string_view kRead = "people read what the model did not write";

constexpr auto kOperators = std::to_array<TextOperator>({
    {{"half-surrogate", Effect::shape, "half a character is shown, or encoding it throws"},
     [](const std::string& t) -> Text { return with_inside(t, dialect::kHighHalf); }},
    {{"half-surrogate-at-the-end", Effect::shape, "half a character is shown, or encoding it throws"},
     [](const std::string& t) -> Text { return t + std::string(dialect::kHighHalf); }},
    {{"low-half-first", Effect::shape, "half a character is shown, or encoding it throws"},
     [](const std::string& t) -> Text { return std::string(dialect::kLowHalf) + t; }},
    {{"halves-in-the-wrong-order", Effect::shape, "two halves are shown, or encoding them throws"},
     [](const std::string& t) -> Text {
       return with_inside(t, std::string(dialect::kLowHalf) + std::string(dialect::kHighHalf));
     }},
    {{"bad-byte", Effect::shape, "the byte becomes a replacement character, or the event is lost"},
     [](const std::string& t) -> Text { return with_inside(t, dialect::kBadByte); }},
    {{"half-character", Effect::shape, "the character is lost"},
     [](const std::string& t) -> Text { return with_inside(t, dialect::kHalfCharacter); }},
    {{"raw-control", Effect::shape, "no JSON reader takes the event"},
     [](const std::string& t) -> Text { return with_inside(t, dialect::kRawControl); }},
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
    {{"quoted", Effect::content, kRead}, [](const std::string& t) -> Text { return nlohmann::json(t).dump(); }},
    {{"html-escaped", Effect::content, kRead}, [](const std::string& t) -> Text { return t + " &amp; more"; }},
    {{"blanks-lost", Effect::content, "words run together"},
     [](const std::string& t) -> Text { return replaced_all(t, " ", ""); }},
    {{"trimmed-at-the-end", Effect::content, "what follows runs into it"},
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
    {{"twice", Effect::content, "the answer is shown twice"}, [](const std::string& t) -> Text { return t + t; }},
    {{"half", Effect::content, "half of the answer is lost"},
     [](const std::string& t) -> Text { return first_half(t); }},
    {{"reversed-words", Effect::content, kRead},
     [](const std::string& t) -> Text {
       const std::size_t at = t.find(' ');
       return at == std::string::npos || at + 1 >= t.size() ? std::nullopt
                                                            : Text(t.substr(at + 1) + " " + t.substr(0, at));
     }},
    {{"think-tags-around", Effect::shape, "people read what was to stay a thought"},
     [](const std::string& t) -> Text { return "<think>Ask the gauge.</think>" + t; }},
    {{"end-of-turn-mark", Effect::shape, "people read the model's own notation"},
     [](const std::string& t) -> Text { return t + "<|im_end|>"; }},
    {{"call-as-text", Effect::shape, "people read a call that no tool gets"},
     [](const std::string& t) -> Text {
       return t + "<tool_call>{\"name\":\"read_tide\",\"arguments\":{}}</tool_call>";
     }},
    {{"event-as-text", Effect::shape, "people read a piece of the protocol"},
     [](const std::string& t) -> Text { return t + "\n\ndata: {\"type\":\"ping\"}\n\n"; }},
});

// What a proxy says in place of an error: the whole answer is one.
constexpr auto kErrors = std::to_array<TextOperator>({
    {{"error-as-text", Effect::shape, "a failure is shown as an answer, and nobody tries again"},
     [](const std::string&) -> Text {
       return R"({"error":{"message":"Too many ships.","type":"server_error","code":503}})";
     }},
    {{"anthropic-error-as-text", Effect::shape, "a failure is shown as an answer, and nobody tries again"},
     [](const std::string&) -> Text {
       return R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})";
     }},
    {{"error-list-as-text", Effect::shape, "a failure is shown as an answer, and nobody tries again"},
     [](const std::string&) -> Text {
       return R"([{"error":{"code":429,"message":"Quota exceeded","status":"RESOURCE_EXHAUSTED"}}])";
     }},
    {{"page-as-text", Effect::content, "a failure is shown as an answer, and nobody tries again"},
     [](const std::string&) -> Text { return "<html><body><h1>502 Bad Gateway</h1></body></html>"; }},
});

}  // namespace

void add_prose_kinds(KindList& kinds) {
  add_text_kinds(kinds, "prose", Nature::prose, kOperators);
  add_text_kinds(kinds, "prose", Nature::prose, kErrors);
}

}  // namespace splitproof::selftest
