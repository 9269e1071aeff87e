#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::text {

/// Texts to find, as a tree of their beginnings with fallbacks for failed matches (Aho, Corasick).
class WantedTexts {
 public:
  /// Holds no texts.
  WantedTexts() = default;

  /// Ignores empty texts.
  explicit WantedTexts(std::vector<std::string> texts);

  /// True if a text begins with this byte.
  bool begin_with(char c) const { return first_[static_cast<unsigned char>(c)]; }

  /// Returns the offset of the first byte that may begin a text, judged with the byte after it. Returns the size of
  /// `piece` without one.
  std::size_t find_begin(std::string_view piece) const;

  bool operator==(const WantedTexts&) const = default;

 private:
  friend class TextSearch;

  // The beginning of a text. The first node is empty and has no parent.
  struct Node {
    std::uint32_t children = 0;  // first of the nodes that are longer by a byte, sorted by that byte
    std::uint32_t shorter = 0;   // longest other beginning at its end
    std::uint32_t size = 0;
    std::uint32_t ended = 0;  // length of the longest text at its end; 0: none
    std::uint16_t count = 0;  // of children
    char last = '\0';         // its last byte
    bool operator==(const Node&) const = default;
  };

  void add_children(const std::vector<std::string>& texts, std::uint32_t node, std::size_t from,
                    std::size_t to, std::vector<std::array<std::size_t, 2>>& ranges);
  std::uint32_t child(std::uint32_t node, char c) const;
  std::uint32_t next(std::uint32_t node, char c) const;

  std::vector<Node> nodes_;  // shorter ones first
  std::array<bool, 256> first_{};
};

/// Finds the text that ends first, byte by byte. Takes constant time for each byte on average, for any number of texts.
class TextSearch {
 public:
  /// Takes the next byte. Returns the length of the longest text that ends with it; 0: none.
  std::size_t take(const WantedTexts& texts, char c);

  /// Returns the number of bytes at the end that may begin a text.
  std::size_t pending() const { return pending_; }

  /// Starts again with no memory.
  void restart() { *this = {}; }

  bool operator==(const TextSearch&) const = default;

 private:
  std::uint32_t node_ = 0;  // longest beginning at the end of the input
  std::size_t pending_ = 0;
};

}  // namespace splitproof::text
