#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace splitproof::wire {

// UTF-16 and JSON's \u escapes write a character beyond U+FFFF as a pair of surrogates. Some servers slice their text
// between the two and send each in a string of its own. Neither is a character:
//
//     "\ud83d"  "\ude00"     two strings
//     ED A0 BD  ED B8 80     in WTF-8, as from wire::Json
//     F0 9F 98 80            the character: U+1F600

constexpr bool is_high_surrogate(unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; }
constexpr bool is_low_surrogate(unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; }

/// Returns the character of a pair.
constexpr unsigned joined(unsigned high, unsigned low) {
  return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

/// Appends a code point in UTF-8; a surrogate as its three bytes.
void append_code_point(std::string& out, unsigned code_point);

/// Converts one text from WTF-8 to UTF-8, in pieces. Adjacent surrogates are joined, also across pieces. A lone one
/// becomes U+FFFD. Only a high surrogate at the end of a piece waits.
class SurrogateJoiner {
 public:
  /// Takes the next piece and appends the output so far. An empty piece changes nothing.
  void feed(std::string_view piece, std::string& out);

  /// Takes the next piece and returns the output so far. Most pieces stay unchanged.
  std::string take(std::string piece);

  /// The text is over. The next piece begins another.
  void finish(std::string& out);

  bool operator==(const SurrogateJoiner&) const = default;

 private:
  void take_surrogate(unsigned surrogate, std::string& out);

  std::uint16_t high_ = 0;  // waits for its low surrogate; 0: none
};

/// Converts a whole text.
std::string whole(std::string_view wtf8);

}  // namespace splitproof::wire
