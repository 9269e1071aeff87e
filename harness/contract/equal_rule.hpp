#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "harness/contract/joined_rule.hpp"

namespace splitproof::contract {

/// One side of `equal: [A, B]`.
struct Operand {
  enum class Kind { field, joined, request, response, expected, got };

  std::string text;  ///< as written
  Kind kind = Kind::field;
  Field field;      ///< field
  Joined joined;    ///< joined
  Pointer pointer;  ///< the documents

  /// Throws Mistake.
  static Operand parse(const YamlNode& node, const Alphabet& alphabet);
  bool is_document() const { return kind != Kind::field && kind != Kind::joined; }

  /// The document it points into; null when it is not known here.
  const Json* document(const Evidence& evidence) const;
};

/// `equal: [A, B]`: JSON equality for each event of a class (`each: CLASS`), or else once a slice. Absent
/// equals only absent. Between documents `at: CLASS` places a violation at the last event of that class, which says the
/// value that is compared; without it, and without such an event, at the end of the stream.
class EqualRule {
 public:
  /// `each` is none without `each:`, `at` null without `at:`. Throws Mistake.
  static EqualRule parse(std::optional<std::size_t> each, const YamlNode& equal, const YamlNode* at,
                         const Alphabet& alphabet);
  Outcome judge(const Reading& reading, const Slices& slices, const Evidence& evidence) const;

  /// Whether it compares documents alone: no event breaks it then, but the stream as a whole.
  bool is_of_documents() const { return !each_ && a_.is_document() && b_.is_document(); }

 private:
  std::optional<std::size_t> each_;
  std::optional<std::size_t> at_;
  Operand a_;
  Operand b_;
};

}  // namespace splitproof::contract
