#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/contract/field_value.hpp"
#include "harness/contract/regex.hpp"

namespace splitproof::contract {

/// A TEST of the contract language, about one value:
///
///   SCALAR               equals it (JSON equality)
///   [TEST, ...]          any of them
///   {is: JSON}           equals it, also for lists and maps
///   {not: TEST}          the TEST fails; also fails for an absent value
///   {absent: true}       there is no value (`false`: there is one)
///   {matches: RE}        a string that RE matches completely
///   {type: TYPE}         null, boolean, integer, number, string, array or object
///   {min: N}             a number of at least N; a string, array or object at least that long
///
/// In a map of several keys all must pass. An absent value fails every TEST but `absent`.
class ValueTest {
 public:
  /// Throws Mistake.
  static ValueTest parse(const YamlNode& node);

  /// True if it, or a part of it, is `matches`.
  bool asks_for_a_form() const;

  /// Adds the strings that it names completely, alone or among others.
  void add_texts(std::vector<std::string>& texts) const;

  bool holds(const FieldValue& value) const;

  /// Returns what is wanted instead of `found`, as the end of a sentence: `"text"`, `not null`, `at least 1`,
  /// or `at least 1 character` for a string.
  std::string describe(const FieldValue& found) const;

 private:
  enum class Kind { is, any_of, all_of, none_of, absent, matches, type, min };

  static std::optional<JsonType> type_among(const std::vector<ValueTest>& parts);
  static ValueTest parse_entry(const YamlKey& key, const YamlNode& value);

  Kind kind_ = Kind::is;
  JsonPtr json_;                  ///< is
  std::vector<ValueTest> parts_;  ///< any_of, all_of; the only one of none_of
  bool absent_ = true;            ///< absent
  Regex regex_;                   ///< matches
  JsonType type_{};               ///< type
  double least_ = 0;              ///< min
};

}  // namespace splitproof::contract
