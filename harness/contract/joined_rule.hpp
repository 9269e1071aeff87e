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

  /// One text for each slice.
  std::vector<Text> read(const Reading& reading, const Slices& slices) const;

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
  Outcome judge(const Reading& reading, const Slices& slices) const;

 private:
  enum class Asks : std::uint8_t { object, prefix, none_of };

  Joined joined_;
  Asks asks_ = Asks::none_of;
  std::vector<Regex> forbidden_;
};

}  // namespace splitproof::contract
