#include "proxy/wire/sha1.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "proxy/wire/network_order.hpp"

namespace splitproof::wire {
namespace {

constexpr std::size_t kBlock = 64;  // bytes

using Sha1State = std::array<std::uint32_t, 5>;

void add_block(std::string_view block, Sha1State& state) {
  std::array<std::uint32_t, 80> words{};
  for (std::size_t i = 0; i < kBlock; ++i)
    words[i / 4] = words[i / 4] << 8U | static_cast<unsigned char>(block[i]);
  for (std::size_t i = 16; i < words.size(); ++i)
    words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  auto [a, b, c, d, e] = state;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::uint32_t mixed = 0;
    if (i < 20)
      mixed = ((b & c) | (~b & d)) + 0x5A827999;
    else if (i < 40)
      mixed = (b ^ c ^ d) + 0x6ED9EBA1;
    else if (i < 60)
      mixed = ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDC;
    else
      mixed = (b ^ c ^ d) + 0xCA62C1D6;
    const std::uint32_t next = std::rotl(a, 5) + mixed + e + words[i];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
}

}  // namespace

std::string sha1(std::string_view text) {
  Sha1State state = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  // RFC 3174, 4: a one bit, zero bits, and the length in bits.
  std::string padded(text);
  padded += '\x80';
  while (padded.size() % kBlock != kBlock - 8) padded += '\0';
  const std::uint64_t bits = std::uint64_t{text.size()} * 8;
  append_number(padded, bits, 8);
  for (std::size_t at = 0; at < padded.size(); at += kBlock)
    add_block(std::string_view(padded).substr(at, kBlock), state);
  std::string digest;
  for (const std::uint32_t word : state) append_number(digest, word, 4);
  return digest;
}

}  // namespace splitproof::wire
