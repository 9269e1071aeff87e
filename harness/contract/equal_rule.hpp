#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

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

  /// True for a document of the meaning, `expected` or `got`.
  bool is_of_meaning() const { return kind == Kind::expected || kind == Kind::got; }

  /// Returns the document that it refers to; null if it is unknown.
  const Json* document(const Context& context) const;

  /// Returns the value in that document.
  const Json* in_document(const Context& context) const;
};

/// `equal: [A, B]`: JSON equality for each event of a class (`each: CLASS`), otherwise once a slice. Absent
/// equals only absent. Between documents, `at: CLASS` places a violation at the last event of that class,
/// which has the compared value. Without such an event it is at the end of the stream.
class EqualRule {
 public:
  /// `each` and `at` are nullopt and null if missing. Throws Mistake.
  static EqualRule parse(std::optional<std::size_t> each, const YamlNode& equal, const YamlNode* at,
                         const Alphabet& alphabet);

  /// Returns the joined texts that it compares; null for other operands.
  std::array<const Joined*, 2> joined() const;

  /// The texts of its operands, null as above. They are incomplete while the stream is read.
  using Texts = std::array<const std::vector<Joined::Text>*, 2>;

  /// State after a part of a stream.
  struct Progress {
    /// The values of an `each` event, which wait for the joined text.
    struct Waiting {
      std::size_t subject = 0;
      std::size_t slice = 0;
      std::array<FieldValue, 2> values;
    };
    std::vector<Waiting> waiting;
    bool exercised = false;
    std::optional<std::size_t> last_at;  ///< last event so far of the class `at`
    std::optional<ClauseResult> violation;
  };
  void take(Progress& progress, const Reading& reading, const Slices& slices, const Context& context) const;
  ClauseResult finish(Progress& progress, const Slices& slices, const Context& context,
                      const Texts& texts) const;

  /// True if it compares only documents. Then the whole stream violates it, not an event.
  bool is_of_documents() const { return !each_ && a_.is_document() && b_.is_document(); }

 private:
  const Operand* unknown(const Context& context) const;
  std::optional<ClauseResult> compare(std::optional<std::size_t> subject, std::size_t slice,
                                      const std::array<FieldValue, 2>& fields, const Context& context,
                                      const Slices& slices, const Texts& texts,
                                      std::optional<std::size_t> otherwise_at = {}) const;

  std::optional<std::size_t> each_;
  std::optional<ClassSet> at_;
  Operand a_;
  Operand b_;
};

}  // namespace splitproof::contract
