#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace splitproof::split {

/// Well-formed UTF-8 as UTF-16, the units by which servers that slice UTF-16 cut text.
std::u16string wide(std::string_view utf8);

/// UTF-16 as UTF-8. A lone surrogate, which UTF-8 cannot encode, becomes `kSurrogateMark` and its four hex
/// digits; `write_surrogates` makes the escape of it once the text is JSON.
std::string narrow(std::u16string_view utf16);

/// The noncharacter U+FDD0. Texts that hold it are left alone, so it means nothing else here.
inline constexpr std::string_view kSurrogateMark = "\xEF\xB7\x90";

/// JSON text with each marked surrogate written as the escape `\ud83d`.
std::string write_surrogates(std::string json);

inline bool is_high_surrogate(char16_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
inline bool is_low_surrogate(char16_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

/// Whether a character begins at `text[at]`, which it does everywhere but between the surrogates of a pair.
inline bool begins_character(std::u16string_view text, std::size_t at) {
  return at == 0 || !is_low_surrogate(text[at]) || !is_high_surrogate(text[at - 1]);
}

}  // namespace splitproof::split
