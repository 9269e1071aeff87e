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

/// A regular expression: the common subset of ECMAScript and RE2. It excludes look-around, back-references,
/// named groups and \u escapes. Matching takes time linear in the text, for any expression.
class Regex {
 public:
  /// Throws Mistake at `line` for an invalid expression.
  static Regex compile(const std::string& text, std::size_t line);

  /// True if the expression matches the whole text.
  bool matches(std::string_view text) const;

  /// Returns the offset of the first match in the text, or nullopt.
  std::optional<std::size_t> find_in(std::string_view text) const;

  const std::string& text() const;

 private:
  std::shared_ptr<const re2::RE2> compiled_;  ///< immutable and safe to share among threads
};

}  // namespace splitproof::contract
