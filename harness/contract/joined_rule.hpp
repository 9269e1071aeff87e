#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/slicing.hpp"
#include "harness/contract/verdict.hpp"

namespace splitproof::contract {

/// `joined(CLASS, /field)`: the text fragments of a class's events, joined for each slice. Events without the
/// field are skipped.
struct Joined {
  struct Text {
    std::string text;
    std::optional<std::size_t> begin;      ///< the first event of the class
    std::optional<std::size_t> last;       ///< the last event of the class
    std::optional<std::size_t> no_string;  ///< the first whose fragment is not a string
  };

  std::size_t class_id = 0;
  Field field;

  /// Throws Mistake at `line`.
  static Joined parse(std::string_view class_name, std::string_view field, std::size_t line,
                      const Alphabet& alphabet);

  bool operator==(const Joined& other) const {
    return class_id == other.class_id && field.text == other.field.text;
  }

  /// take() appends a window's fragments to the texts, one text for each slice. finish() joins surrogates
  /// that are now adjacent.
  void take(std::vector<Text>& texts, const Reading& reading, const Slices& slices) const;
  static void finish(std::vector<Text>& texts, const Slices& slices);

  /// Describes the event `Text::no_string`.
  std::string no_string_detail() const;
};

/// `joined: [CLASS, /field]` with `json: object` (the text is one JSON object, or empty), `json: prefix` (or
/// its beginning) or `forbidden: [RE, ...]` (none occurs in it). A fragment that is not a string violates
/// each.
class JoinedRule {
 public:
  /// `json` and `forbidden` are null if missing. Throws Mistake.
  static JoinedRule parse(const YamlNode& joined, const YamlNode* json, const YamlNode* forbidden,
                          const Alphabet& alphabet);

  const Joined& joined() const { return joined_; }

  /// State after a part of a stream: only the texts, which several rules share.
  struct Progress {};
  ClauseResult judge(const std::vector<Joined::Text>& texts) const;

 private:
  enum class Asks : std::uint8_t { object, prefix, none_of };

  Joined joined_;
  Asks asks_ = Asks::none_of;
  std::vector<Regex> forbidden_;
};

}  // namespace splitproof::contract
