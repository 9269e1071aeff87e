#include "harness/record/escaped_text.hpp"

#include <charconv>
#include <optional>

namespace splitproof::record {
namespace {

constexpr char kNotAscii = '\xFF';

std::optional<unsigned> hex_number(std::string_view digits, std::size_t size) {
  unsigned value = 0;
  if (digits.size() < size) return std::nullopt;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + size, value, 16);
  return error == std::errc() && end == digits.data() + size ? std::optional(value) : std::nullopt;
}

// Returns the character of an escape with one letter, such as `n`; other characters stand for themselves.
char escaped_letter(char c) {
  constexpr std::string_view kLetters = "bfnrt";
  constexpr std::string_view kMeanings = "\b\f\n\r\t";
  const std::size_t found = kLetters.find(c);
  return found == kLetters.npos ? c : kMeanings[found];
}

}  // namespace

EscapedText::EscapedText(std::string_view raw) : text_(raw) {}

void EscapedText::add(char c, std::size_t place) {
  text_ += c;
  places_.push_back(place);
}

EscapedText EscapedText::without_json_escapes() const {
  EscapedText plain;
  const std::string_view text = text_;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    if (text[i] != '\\' || i + 1 == text.size()) {
      plain.add(text[i++], place(begin));
      continue;
    }
    const char kind = text[i + 1];
    const auto code = kind == 'u' ? hex_number(text.substr(i + 2), 4) : std::nullopt;
    if (code) {
      plain.add(*code < 0x80 ? static_cast<char>(*code) : kNotAscii, place(begin));
      i += 6;
    } else {
      plain.add(escaped_letter(kind), place(begin));
      i += 2;
    }
  }
  plain.places_.push_back(place(text.size()));
  return plain;
}

EscapedText EscapedText::without_percent_escapes() const {
  EscapedText plain;
  const std::string_view text = text_;
  for (std::size_t i = 0; i < text.size();) {
    const auto code = text[i] == '%' ? hex_number(text.substr(i + 1), 2) : std::nullopt;
    plain.add(code ? static_cast<char>(*code) : text[i], place(i));
    i += code ? 3 : 1;
  }
  plain.places_.push_back(place(text.size()));
  return plain;
}

}  // namespace splitproof::record
