#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::observe {

/// What an upstream's agent says of itself, as docs/cleaning.md lists it, and what stands in place of that: `$M` is
/// the model, `$P` who makes it, `$W` the workspace.
struct IdentityPhrase {
  std::string text;
  std::string told;
};

/// All of them.
const std::vector<IdentityPhrase>& identity_phrases();

/// JSON in a text is read so many levels deep.
inline constexpr std::size_t kMostJsonLevels = 32;

/// Whether `c` is of a word: none stands right before or right behind a phrase.
inline bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// The longest phrase that stands whole at `at`, with no byte of a word behind it. The end of the text is none.
const IdentityPhrase* phrase_at(std::string_view text, std::size_t at);

/// Whether `begun` is the beginning of a phrase, or all of one.
bool begins_phrase(std::string_view begun);

/// What is said of the model in place of a phrase that stands at `at`.
std::string said_instead(const IdentityPhrase& phrase, std::string_view text, std::size_t at,
                         std::string_view model);

}  // namespace splitproof::observe
