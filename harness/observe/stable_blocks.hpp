#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/observe/code_bytes.hpp"

namespace splitproof::observe {

/// Removes blocks of the request that the upstream repeats from growing text. Its output is always a prefix
/// of without_hidden_blocks(), however the text continues. It holds back a suffix that may begin an opening
/// tag outside code, and drops the content of blocks. Only that suffix is read again.
class StableBlocks {
 public:
  /// Reads `text`, which begins with the text of the previous call. Adds the settled bytes to `told`.
  void read(std::string_view text, std::string& told);

 private:
  enum class Tag : std::uint8_t { none, begun, opens };

  Tag tag_at(std::string_view text);

  std::size_t at_ = 0;  ///< All before it is settled.
  CodeBytes code_;
  std::string closes_;      ///< The end tag of the current block; empty: none.
  bool line_feed_ = false;  ///< A directly following line feed belongs to the block before it.
};

}  // namespace splitproof::observe
