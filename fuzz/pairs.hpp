#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace splitproof::fuzz {

/// What is translated into what.
struct Pair {
  const char* upstream;
  const char* client;
};

/// The first is that of inputs from before there were others.
inline constexpr std::array<Pair, 6> kPairs = {{
    {"openai.chat", "anthropic.messages"},
    {"openai.chat", "openai.responses"},
    {"anthropic.messages", "openai.chat"},
    {"anthropic.messages", "openai.responses"},
    {"openai.responses", "openai.chat"},
    {"openai.responses", "anthropic.messages"},
}};

/// Byte 4 of an input chooses both how the body ends, by its last two bits, and the pair.
inline std::size_t ending_of(std::uint8_t chosen) { return chosen % 4; }
inline std::size_t pair_of(std::uint8_t chosen) { return chosen / 4 % kPairs.size(); }

}  // namespace splitproof::fuzz
