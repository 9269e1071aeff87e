#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "harness/observe/code_bytes.hpp"

namespace splitproof::observe {

/// Text that grows, without the blocks of the request that the upstream repeats, as far as nothing that may still
/// come changes it: a beginning of what without_hidden_blocks() makes of it, however it goes on. An end waits that
/// begins an opening tag outside of code and is none; of what stands inside a block nothing is told. Only that end is
/// read again when more comes.
class StableBlocks {
 public:
  /// Reads `text`, which begins with what was read before, and adds what is settled by now to `told`.
  void read(std::string_view text, std::string& told);

 private:
  enum class Tag : std::uint8_t { none, begun, opens };

  Tag tag_at(std::string_view text);

  std::size_t at_ = 0;  ///< all before is settled
  CodeBytes code_;
  std::string closes_;      ///< the tag that ends the block at hand; empty: there is none
  bool line_feed_ = false;  ///< one that comes next goes with the block before it
};

}  // namespace splitproof::observe
