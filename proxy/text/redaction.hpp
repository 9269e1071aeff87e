#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/text/text_search.hpp"

namespace splitproof::text {

/// Replacement for a hidden path.
enum class Marker : std::uint8_t { none, ellipsis, structural };

/// Paths to hide, and their replacement.
struct RedactionRules {
  WantedTexts prefixes;
  std::string_view marker;  ///< Empty: no redaction.
  bool operator==(const RedactionRules&) const = default;
};

RedactionRules redaction_rules(Marker marker, const std::vector<std::string>& prefixes);

/// Replaces paths with given prefixes in one text, in pieces:
///
///     see /tmp/windsurf-workspace/a.cpp.    see <workspace>.
///
/// An incomplete prefix waits, and up to three dots after a path. contracts/specifications/cleaning.md has the rules.
class Redaction {
 public:
  /// Takes the next piece and replaces it with the output so far.
  void feed(const RedactionRules& rules, std::string& text);

  /// Takes the next byte of an escaped text; `spelled` is its raw form.
  void take(const RedactionRules& rules, char c, std::string_view spelled, std::string& out);

  /// The text is over. Appends what waits. The next piece begins another.
  void finish(std::string& out);

  /// True if anything was replaced in any text so far.
  bool changed() const { return changed_; }

  bool operator==(const Redaction&) const = default;

 private:
  bool take_behind_path(char c, std::string_view spelled);
  void read_dots_again(const RedactionRules& rules, std::string& out);
  void release(std::size_t kept, std::string& out);

  TextSearch search_;
  std::string held_;   // raw form
  std::string sizes_;  // raw size of each held byte
  bool in_path_ = false;
  bool changed_ = false;
};

}  // namespace splitproof::text
