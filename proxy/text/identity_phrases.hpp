#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::text {

/// A phrase in which an upstream says who it is, and what becomes of it: `before`, a name, `behind`.
struct Phrase {
  enum class Named : std::uint8_t { model, maker, workspace };  // the last has no name

  std::string text;
  Named named = Named::model;
  std::string before;
  std::string behind;
};

/// All of them, by their text.
const std::vector<Phrase>& phrases();

/// How far a text begins phrases, byte by byte.
class PhraseMatch {
 public:
  PhraseMatch() : last_(phrases().size()) {}

  /// Takes the next byte. False: no phrase goes on so.
  bool take(char c);

  /// The phrase that is whole; null: none.
  const Phrase* whole() const;

 private:
  std::size_t first_ = 0;  // of the phrases that begin so
  std::size_t last_;       // behind them
  std::size_t size_ = 0;
};

/// Who makes a model of this name; empty: it is not known.
std::string_view maker_of(std::string_view model);

}  // namespace splitproof::text
