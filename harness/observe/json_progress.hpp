#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace splitproof::observe {

/// How far a text that comes in pieces is on its way to one JSON value (RFC 8259). Linear in the text; a bit
/// for each open array or object is all it keeps.
class JsonProgress {
 public:
  void take(std::string_view piece);

  /// All so far is one whole value, perhaps with white space around it. A number is whole only once white space
  /// ends it: `1` may be the beginning of `12`.
  bool complete() const;

  /// Whether something may still come that makes all of it a value.
  bool possible() const { return state_ != State::broken; }

  bool operator==(const JsonProgress&) const = default;

 private:
  enum class State : std::uint8_t {
    value,
    value_or_end,  ///< behind [
    key,
    key_or_end,  ///< behind {
    colon,
    comma_or_end,  ///< behind a value; at the top, nothing but white space may follow
    string,
    escape,  ///< behind a backslash
    hex,     ///< inside \uXXXX, missing_ digits of which are to come
    word,    ///< inside null, true or false, rest_ of which is to come
    minus,   ///< from here on, inside a number: behind its sign,
    zero,    ///< behind a leading 0,
    digits,
    point,
    fraction,
    e,
    e_sign,
    power,
    broken  ///< no JSON, whatever comes
  };

  static State in_number(State state, char c);
  State next(char c);
  State begin_value(char c);
  State open(bool object);
  State close(bool object);
  bool number_can_end() const;

  State state_ = State::value;
  std::vector<bool> open_;  ///< open containers, outermost first: whether it is an object
  bool in_key_ = false;     ///< the string being read is a key
  int missing_ = 0;
  std::string_view rest_;  ///< of a literal of the program, so it lives for ever
};

/// Whether `text` is one whole JSON value.
bool is_one_json_value(std::string_view text);

/// `text` without the white space, as JSON knows it, around it.
std::string_view trim_json(std::string_view text);

/// Whether all of `text` is such white space.
inline bool is_blank_json(std::string_view text) { return trim_json(text).empty(); }

}  // namespace splitproof::observe
