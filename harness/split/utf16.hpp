#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace splitproof::split {

/// Converts well-formed UTF-8 to UTF-16. Some servers cut text in its units.
std::u16string wide(std::string_view utf8);

/// Converts UTF-16 to UTF-8. UTF-8 cannot encode a lone surrogate: it becomes `kSurrogateMark` and four hex
/// digits. `write_surrogates` makes it an escape in JSON.
std::string narrow(std::u16string_view utf16);

/// The noncharacter U+FDD0. It is unambiguous, because texts that contain it are not changed.
inline constexpr std::string_view kSurrogateMark = "\xEF\xB7\x90";

/// Replaces each marked surrogate in JSON text by its escape, `\ud83d`.
std::string write_surrogates(std::string json);

inline bool is_high_surrogate(char16_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
inline bool is_low_surrogate(char16_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

/// True if a character begins at `text[at]`: everywhere except inside a surrogate pair.
inline bool begins_character(std::u16string_view text, std::size_t at) {
  return at == 0 || !is_low_surrogate(text[at]) || !is_high_surrogate(text[at - 1]);
}

}  // namespace splitproof::split
