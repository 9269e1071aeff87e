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

/// `joined(CLASS, /field)`: the text fragments of a class's events, put together for each slice. Events
/// without the field are skipped.
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

  /// Adds what a window has to the texts, one for each slice; and makes characters of the surrogates that came to stand
  /// side by side, when all is read.
  void take(std::vector<Text>& texts, const Reading& reading, const Slices& slices) const;
  static void finish(std::vector<Text>& texts, const Slices& slices);

  /// What is wrong with an event named by `Text::no_string`.
  std::string no_string_detail() const;
};

/// `joined: [CLASS, /field]` with `json: object` (the text is one JSON object, or empty), `json: prefix` (it is that, or
/// the beginning of one) or `forbidden: [RE, ...]` (none of them occurs anywhere in it). A fragment that is not a string
/// violates each.
class JoinedRule {
 public:
  /// `json` and `forbidden` are null when missing. Throws Mistake.
  static JoinedRule parse(const YamlNode& joined, const YamlNode* json, const YamlNode* forbidden,
                          const Alphabet& alphabet);

  const Joined& joined() const { return joined_; }

  /// What has been read of a stream so far: all of it is in the texts, which several rules share.
  struct Progress {};
  ClauseResult judge(const std::vector<Joined::Text>& texts) const;

 private:
  enum class Asks : std::uint8_t { object, prefix, none_of };

  Joined joined_;
  Asks asks_ = Asks::none_of;
  std::vector<Regex> forbidden_;
};

}  // namespace splitproof::contract
