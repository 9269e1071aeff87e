#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/text/code_spans.hpp"

namespace splitproof::text {

/// Removes blocks of the request that the model repeats in one text, in pieces:
///
///     <workspace_information>...</workspace_information>
///
/// An unclosed block reaches to the end of the text. Only the beginning of an opening tag waits.
/// contracts/specifications/cleaning.md has the rules.
class HiddenBlocks {
 public:
  /// Takes the next piece and replaces it with the output so far.
  void feed(std::string& text);

  /// The text is over. Appends what waits. The next piece begins another.
  void finish(std::string& out);

  /// True if anything was removed in any text so far.
  bool changed() const { return changed_; }

  bool operator==(const HiddenBlocks&) const = default;

 private:
  void read(std::string_view piece, bool last, std::string& out);
  void take_inside(char c);
  void open(std::size_t name);
  static std::optional<std::size_t> opened_by(std::string_view text);
  static bool may_open(std::string_view text);

  CodeSpans code_;
  std::string held_;                   // incomplete opening tag
  std::optional<std::size_t> inside_;  // index of the block's name
  std::size_t closing_ = 0;            // bytes of its closing tag so far
  bool alone_ = false;                 // the block begins its line
  bool behind_ = false;                // right after such a block
  bool changed_ = false;
};

}  // namespace splitproof::text
