#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace splitproof::observe {

/// Tracks whether text in pieces forms one JSON value (RFC 8259). Linear in the text. It keeps one bit for
/// each open array or object.
class JsonProgress {
 public:
  void take(std::string_view piece);

  /// True if the text so far is one complete value, with optional white space. A number is complete only when
  /// white space ends it, because `1` may begin `12`.
  bool complete() const;

  /// True if more text can still complete a value.
  bool possible() const { return state_ != State::broken; }

  bool operator==(const JsonProgress&) const = default;

 private:
  enum class State : std::uint8_t {
    value,
    value_or_end,  ///< After [.
    key,
    key_or_end,  ///< After {.
    colon,
    comma_or_end,  ///< After a value; at the top level, only white space may follow.
    string,
    escape,  ///< After a backslash.
    hex,     ///< Inside \uXXXX, with missing_ digits to come.
    word,    ///< Inside null, true or false, with rest_ to come.
    minus,   ///< First state inside a number: after its sign.
    zero,    ///< After a leading 0.
    digits,
    point,
    fraction,
    e,
    e_sign,
    power,
    broken  ///< No JSON, whatever comes.
  };

  static State in_number(State state, char c);
  State next(char c);
  State begin_value(char c);
  State open(bool object);
  State close(bool object);
  bool number_can_end() const;

  State state_ = State::value;
  std::vector<bool> open_;  ///< Open containers, outermost first: true for an object.
  bool in_key_ = false;     ///< The string being read is a key.
  int missing_ = 0;
  std::string_view rest_;  ///< View into a literal, so it never dangles.
};

/// True if `text` is one complete JSON value.
bool is_one_json_value(std::string_view text);

/// Returns `text` without JSON white space at its ends.
std::string_view trim_json(std::string_view text);

/// True if `text` has only JSON white space.
inline bool is_blank_json(std::string_view text) { return trim_json(text).empty(); }

}  // namespace splitproof::observe
