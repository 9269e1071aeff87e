#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::observe {

/// A phrase of an upstream's agent about itself and its replacement (contracts/specifications/cleaning.md). `$M` is the
/// model, `$P` its maker, `$W` the workspace.
struct IdentityPhrase {
  std::string text;
  std::string told;
};

/// Returns all phrases.
const std::vector<IdentityPhrase>& identity_phrases();

/// Maximum nesting of JSON that is read in a text.
inline constexpr std::size_t kMostJsonLevels = 32;

/// True if `c` belongs to a word. No such byte may be directly before or after a phrase.
inline bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Returns the longest complete phrase at `at` that no word byte follows. The end of the text is no word
/// byte.
const IdentityPhrase* phrase_at(std::string_view text, std::size_t at);

/// True if `begun` is a phrase or begins one.
bool begins_phrase(std::string_view begun);

/// Returns the replacement for a phrase at `at`.
std::string said_instead(const IdentityPhrase& phrase, std::string_view text, std::size_t at,
                         std::string_view model);

}  // namespace splitproof::observe
