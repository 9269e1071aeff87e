#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::text {

/// A phrase of an upstream about its identity, and its replacement: `before`, a name, `behind`.
struct Phrase {
  enum class Named : std::uint8_t { model, maker, workspace };  // workspace: no name

  std::string text;
  Named named = Named::model;
  std::string before;
  std::string behind;
};

/// Returns all phrases, sorted by their text.
const std::vector<Phrase>& phrases();

/// Matches the phrases that a text begins, byte by byte.
class PhraseMatch {
 public:
  PhraseMatch() : last_(phrases().size()) {}

  /// Takes the next byte. Returns false if no phrase matches any more.
  bool take(char c);

  /// Returns the complete phrase, or null.
  const Phrase* whole() const;

 private:
  std::size_t first_ = 0;  // first matching phrase
  std::size_t last_;       // end of them
  std::size_t size_ = 0;
};

/// Returns the maker of a model; empty if unknown.
std::string_view maker_of(std::string_view model);

}  // namespace splitproof::text
