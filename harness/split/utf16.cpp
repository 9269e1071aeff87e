#include "harness/split/utf16.hpp"

#include "harness/utf8.hpp"

namespace splitproof::split {
namespace {

char32_t character_at(std::string_view utf8, std::size_t at, std::size_t length) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(utf8[at + i]); };
  if (length == 1) return byte(0);
  char32_t code = byte(0) & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) code = (code << 6U) | (byte(i) & 0x3FU);
  return code;
}

void append_utf8(std::string& text, char32_t code) {
  const auto put = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | (code >> 6U));
    put(0x80 | (code & 0x3FU));
  } else {
    if (code < 0x10000) {
      put(0xE0 | (code >> 12U));
    } else {
      put(0xF0 | (code >> 18U));
      put(0x80 | ((code >> 12U) & 0x3FU));
    }
    put(0x80 | ((code >> 6U) & 0x3FU));
    put(0x80 | (code & 0x3FU));
  }
}

void append_surrogate(std::string& text, char16_t surrogate) {
  text += kSurrogateMark;
  for (int shift = 12; shift >= 0; shift -= 4) text += "0123456789abcdef"[(surrogate >> shift) & 0xF];
}

}  // namespace

std::u16string wide(std::string_view utf8) {
  std::u16string text;
  for (std::size_t at = 0; at < utf8.size();) {
    const std::size_t length = utf8_step(utf8.substr(at)).length;
    const char32_t code = character_at(utf8, at, length);
    if (code < 0x10000) {
      text += static_cast<char16_t>(code);
    } else {
      text += static_cast<char16_t>(0xD800 + ((code - 0x10000) >> 10U));
      text += static_cast<char16_t>(0xDC00 + ((code - 0x10000) & 0x3FFU));
    }
    at += length;
  }
  return text;
}

std::string narrow(std::u16string_view utf16) {
  std::string text;
  for (std::size_t i = 0; i < utf16.size(); ++i) {
    const char16_t unit = utf16[i];
    if (is_high_surrogate(unit) && i + 1 < utf16.size() && is_low_surrogate(utf16[i + 1])) {
      append_utf8(text, 0x10000 + ((char32_t{unit} - 0xD800) << 10U) + (char32_t{utf16[i + 1]} - 0xDC00));
      ++i;
    } else if (is_high_surrogate(unit) || is_low_surrogate(unit)) {
      append_surrogate(text, unit);
    } else {
      append_utf8(text, unit);
    }
  }
  return text;
}

std::string write_surrogates(std::string json) {
  for (std::size_t at = json.find(kSurrogateMark); at != std::string::npos;
       at = json.find(kSurrogateMark, at))
    json.replace(at, kSurrogateMark.size(), "\\u");
  return json;
}

}  // namespace splitproof::split
