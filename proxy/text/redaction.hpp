#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/text/text_search.hpp"

namespace splitproof::text {

/// What stands for a path that is not to be seen.
enum class Marker : std::uint8_t { none, ellipsis, structural };

/// Which paths are not to be seen, and what stands for them.
struct RedactionRules {
  WantedTexts prefixes;
  std::string_view marker;  ///< empty: nothing is redacted
  bool operator==(const RedactionRules&) const = default;
};

RedactionRules redaction_rules(Marker marker, const std::vector<std::string>& prefixes);

/// Replaces paths that begin with a given prefix, in one text that comes in pieces:
///
///   see /tmp/windsurf-workspace/a.cpp.    see <workspace>.
///
/// What may wait is the beginning of a prefix, and behind a path up to three dots. docs/cleaning.md is what it keeps to.
class Redaction {
 public:
  /// Takes the next piece and puts in its place what it allows to be said.
  void feed(const RedactionRules& rules, std::string& text);

  /// Takes the next byte of a text that is written otherwise: `spelled` so.
  void take(const RedactionRules& rules, char c, std::string_view spelled, std::string& out);

  /// The text is over: appends what waits. The next piece begins another.
  void finish(std::string& out);

  /// Something was replaced, in any text so far.
  bool changed() const { return changed_; }

  bool operator==(const Redaction&) const = default;

 private:
  bool take_behind_path(char c, std::string_view spelled);
  void read_dots_again(const RedactionRules& rules, std::string& out);
  void release(std::size_t kept, std::string& out);

  TextSearch search_;
  std::string held_;   // as it is spelled
  std::string sizes_;  // of what is held: how many bytes spell each of its own
  bool in_path_ = false;
  bool changed_ = false;
};

}  // namespace splitproof::text
