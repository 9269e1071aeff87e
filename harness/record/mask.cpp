#include "harness/record/mask.hpp"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <random>

#include "harness/utf8.hpp"

namespace splitproof::record {
namespace {

constexpr std::string_view kSmall = "xyz";
constexpr std::string_view kCapital = "XYZ";
constexpr std::string_view kDigits = "01";
// Letters of two, three and four bytes for letters outside ASCII.
constexpr std::array<std::string_view, 5> kOthers = {"", "", "\xC3\xBF", "\xEF\xBD\x98", "\xF0\x9D\x93\x8D"};

bool is_small(char c) { return 'a' <= c && c <= 'z'; }
bool is_capital(char c) { return 'A' <= c && c <= 'Z'; }
bool is_digit(char c) { return '0' <= c && c <= '9'; }

// Steps of splitmix64.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

char masked(char c, std::uint64_t choice) {
  if (is_small(c)) return kSmall[choice % kSmall.size()];
  if (is_capital(c)) return kCapital[choice % kCapital.size()];
  if (is_digit(c)) return kDigits[choice % kDigits.size()];
  return c;
}

bool is_hex(char c) { return is_digit(c) || ('a' <= c && c <= 'f') || ('A' <= c && c <= 'F'); }

// Returns the size of the escape at the beginning of a text, or 0. A mask over its letters would break it.
std::size_t escape_size(std::string_view text) {
  if (text.size() > 2 && text[0] == '%' && is_hex(text[1]) && is_hex(text[2])) return 3;
  // Text inside of text has several backslashes before a letter.
  const std::size_t letter = text.find_first_not_of('\\');
  if (letter == 0) return 0;
  if (letter == text.npos) return text.size();
  return std::min(text.size(), letter + (text[letter] == 'u' ? 5 : 1));
}

// Writes a masked character over an escape: %2D, \u002d, or with more backslashes. Shorter escapes stand for
// characters that a mask keeps.
void cover_escape(std::string& raw, std::size_t begin, std::size_t end, char mask) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(mask);
  const bool is_percent = raw[begin] == '%';
  if (!is_percent && raw.find('u', begin) >= end) return;
  raw[end - 2] = kHex[byte >> 4];
  raw[end - 1] = kHex[byte & 15];
  // A character outside ASCII becomes U+00FF. Halves of a surrogate pair stay: one of them alone is invalid.
  if (!is_percent && byte == 0xFF && raw[end - 4] != 'd' && raw[end - 4] != 'D')
    raw[end - 4] = raw[end - 3] = '0';
}

}  // namespace

Mask::Mask() {
  if (getrandom(key_, sizeof key_, 0) == sizeof key_) return;
  std::random_device random;
  for (std::uint64_t& part : key_) part = (std::uint64_t{random()} << 32) | random();
}

std::string Mask::of(std::string_view secret) const {
  std::uint64_t hash = key_[0];
  for (const char c : secret) hash = mixed(hash ^ static_cast<unsigned char>(c));
  std::uint64_t choice = mixed(hash ^ key_[1]);
  std::string mask(secret);
  for (char& c : mask) {
    c = masked(c, choice >> 33);
    choice = mixed(choice ^ key_[1]);
  }
  return mask;
}

void Mask::cover(std::string& raw, const EscapedText& text, std::size_t begin, std::size_t end) const {
  const std::string_view secret = std::string_view(text.text()).substr(begin, end - begin);
  const std::string mask = of(secret);
  for (std::size_t i = begin; i < end;) {
    if (const std::size_t escape = escape_size(secret.substr(i - begin)); escape > 0) {
      i += escape;
      continue;
    }
    const std::size_t place = text.place(i);
    const std::size_t size = text.place(i + 1) - place;
    if (size > 1) {
      cover_escape(raw, place, place + size, mask[i++ - begin]);
      continue;
    }
    const Utf8Step step = utf8_step(std::string_view(raw).substr(place, end - i));
    if (step.length > 1 && step.kind == Utf8Step::Kind::well_formed && i + step.length <= end) {
      raw.replace(place, step.length, kOthers[step.length]);
      i += step.length;
    } else {
      raw[place] = mask[i++ - begin];
    }
  }
}

bool is_masked(std::string_view text) {
  const auto is_of_mask = [](char c) {
    if (is_small(c)) return kSmall.find(c) != kSmall.npos;
    if (is_capital(c)) return kCapital.find(c) != kCapital.npos;
    return !is_digit(c) || kDigits.find(c) != kDigits.npos;
  };
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t escape = escape_size(text.substr(i));
    if (escape == 0 && !is_of_mask(text[i])) return false;
    i += std::max<std::size_t>(escape, 1);
  }
  return true;
}

}  // namespace splitproof::record
