#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/slicing.hpp"
#include "harness/contract/verdict.hpp"

namespace splitproof::contract {

/// `joined(CLASS, /field)`: the text fragments of a class's events, put together for each slice. Events
/// without the field are skipped.
struct Joined {
  struct Text {
    std::string text;
    std::optional<std::size_t> last;       ///< the last event of the class
    std::optional<std::size_t> no_string;  ///< the first whose fragment is not a string
  };

  std::size_t class_id = 0;
  Field field;

  /// One text for each slice.
  std::vector<Text> read(const Reading& reading, const Slices& slices) const;
};

/// `joined: [CLASS, /field]` with `json: object` (the text is one JSON object, or empty) or `forbidden: [RE,
/// ...]` (none of them occurs anywhere in it). A fragment that is not a string violates both.
class JoinedRule {
 public:
  /// `json` and `forbidden` are null when missing. Throws Mistake.
  static JoinedRule parse(const YamlNode& joined, const YamlNode* json, const YamlNode* forbidden,
                          const Alphabet& alphabet);
  Outcome judge(const Reading& reading, const Slices& slices) const;

 private:
  Joined joined_;
  std::vector<Regex> forbidden_;  ///< empty: the text must be a JSON object
};

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
/// equals only absent.
class EqualRule {
 public:
  /// `each` is none without `each:`. Throws Mistake.
  static EqualRule parse(std::optional<std::size_t> each, const YamlNode& equal, const Alphabet& alphabet);
  Outcome judge(const Reading& reading, const Slices& slices, const Evidence& evidence) const;

 private:
  std::optional<std::size_t> each_;
  Operand a_;
  Operand b_;
};

}  // namespace splitproof::contract
