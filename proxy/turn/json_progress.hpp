#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace splitproof::turn {

/// What may stand between the tokens of JSON.
inline constexpr std::string_view kBlanks = " \t\r\n";

/// Follows one JSON value (RFC 8259) that arrives in pieces: enough to know when it has come to its end, and when it
/// cannot be one any more. A number counts as complete only once white space ends it, since more digits may follow.
class JsonProgress {
 public:
  void feed(std::string_view piece) {
    for (const char c : piece) take(c);
  }

  /// All that came is one whole value, perhaps with white space around it.
  bool complete() const { return inside_.empty() && place_ == Place::after_value; }

  /// What came begins no JSON.
  bool lost() const { return place_ == Place::lost; }

  /// How many arrays and objects are open.
  std::size_t depth() const { return inside_.size(); }

  /// Between the quotes of a string, a key or another.
  bool in_string() const { return place_ == Place::string || in_escape(); }

  /// Between the quotes of a key.
  bool in_key() const { return key_ && in_string(); }

  /// Within an escape of a string.
  bool in_escape() const { return place_ == Place::escape || place_ == Place::hex; }

  bool operator==(const JsonProgress&) const = default;

 private:
  // What may come next.
  enum class Place : std::uint8_t {
    value,
    first_element,  // or the end of an empty array
    first_key,      // or the end of an empty object
    key,
    colon,
    after_value,
    string,
    escape,
    hex,
    word,
    number,
    lost,  // what came begins no JSON
  };

  void take(char c);
  void begin_value(char c);
  void end_value() { place_ = Place::after_value; }
  void end_container(char c);
  void take_number(char c);
  void move_on(char c);

  std::string inside_;  // the brackets that are open
  Place place_ = Place::value;
  bool key_ = false;    // the string is a key
  std::string rest_;    // of a word; of a number, what may follow: see take_number
  int hex_digits_ = 0;  // still to come
};

}  // namespace splitproof::turn
