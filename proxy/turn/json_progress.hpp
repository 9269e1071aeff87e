#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace splitproof::turn {

/// White space between the tokens of JSON.
inline constexpr std::string_view kBlanks = " \t\r\n";

/// Follows one JSON value (RFC 8259) in pieces, to detect its end and invalid input. A number is complete only after
/// white space, because more digits may follow.
class JsonProgress {
 public:
  void feed(std::string_view piece) {
    for (const char c : piece) take(c);
  }

  /// True if the input is one whole value, with optional white space around it.
  bool complete() const { return inside_.empty() && place_ == Place::after_value; }

  /// True if the input is invalid.
  bool lost() const { return place_ == Place::lost; }

  /// Returns the number of open arrays and objects.
  std::size_t depth() const { return inside_.size(); }

  /// True between the quotes of a string or key.
  bool in_string() const { return place_ == Place::string || in_escape(); }

  /// True between the quotes of a key.
  bool in_key() const { return key_ && in_string(); }

  /// True within an escape of a string.
  bool in_escape() const { return place_ == Place::escape || place_ == Place::hex; }

  bool operator==(const JsonProgress&) const = default;

 private:
  // The next expected token.
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
    lost,  // the input is invalid
  };

  void take(char c);
  void begin_value(char c);
  void end_value() { place_ = Place::after_value; }
  void end_container(char c);
  void take_number(char c);
  void move_on(char c);

  std::string inside_;  // open brackets
  Place place_ = Place::value;
  bool key_ = false;    // the string is a key
  std::string rest_;    // rest of a word; for a number, its state: see take_number
  int hex_digits_ = 0;  // still to come
};

}  // namespace splitproof::turn
