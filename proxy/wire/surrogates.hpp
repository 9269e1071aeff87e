#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace splitproof::wire {

// UTF-16 writes a character beyond U+FFFF as a pair of surrogates, and so does JSON in its \u escapes. A server that
// slices its text between the two sends each in a string of its own, and neither is a character:
//
//   "\ud83d"  "\ude00"     two strings
//   ED A0 BD  ED B8 80     in WTF-8, as wire::Json gives them
//   F0 9F 98 80            what was meant: U+1F600

constexpr bool is_high_surrogate(unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; }
constexpr bool is_low_surrogate(unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; }

/// The character that a pair stands for.
constexpr unsigned joined(unsigned high, unsigned low) {
  return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

/// Appends a code point as UTF-8 has it; a surrogate as its three bytes.
void append_code_point(std::string& out, unsigned code_point);

/// Makes UTF-8 of one text that comes in pieces of WTF-8. Surrogates that meet are joined, also across pieces; a lone
/// one becomes U+FFFD. Only a high surrogate at the end of a piece waits.
class SurrogateJoiner {
 public:
  /// Takes the next piece and appends what it allows to be said. An empty piece changes nothing.
  void feed(std::string_view piece, std::string& out);

  /// Takes the next piece and gives what it allows to be said: most pieces as they are.
  std::string take(std::string piece);

  /// The text is over. The next piece begins another.
  void finish(std::string& out);

  bool operator==(const SurrogateJoiner&) const = default;

 private:
  void take_surrogate(unsigned surrogate, std::string& out);

  std::uint16_t high_ = 0;  // waits for its low surrogate; 0: none does
};

/// All of a text at once.
std::string whole(std::string_view wtf8);

}  // namespace splitproof::wire
