#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace splitproof::contract {

/// A regular expression: the part of ECMAScript's that RE2 reads the same way, so without look-around,
/// back-references, named groups and \u escapes. Matching takes time linear in the text, for any expression.
class Regex {
 public:
  /// Throws Mistake at `line` for what is not such an expression.
  static Regex compile(const std::string& text, std::size_t line);

  /// Whether the expression matches the whole text.
  bool matches(std::string_view text) const;

  /// Where the first part of the text begins that the expression matches; none where it matches none.
  std::optional<std::size_t> find_in(std::string_view text) const;

  const std::string& text() const;

 private:
  std::shared_ptr<const re2::RE2> compiled_;  ///< immutable and safe to share among threads
};

}  // namespace splitproof::contract
