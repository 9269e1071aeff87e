#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/text/code_spans.hpp"

namespace splitproof::text {

/// Leaves out blocks that were put into the request and come back in one text, which comes in pieces:
///
///   <workspace_information>...</workspace_information>
///
/// A block that does not end reaches to the end of the text. What may wait is the beginning of an opening tag.
/// docs/cleaning.md is what it keeps to.
class HiddenBlocks {
 public:
  /// Takes the next piece and puts in its place what it allows to be said.
  void feed(std::string& text);

  /// The text is over: appends what waits. The next piece begins another.
  void finish(std::string& out);

  /// Something was left out, in any text so far.
  bool changed() const { return changed_; }

  bool operator==(const HiddenBlocks&) const = default;

 private:
  void read(std::string_view piece, bool last, std::string& out);
  void take_inside(char c);
  void open(std::size_t name);
  static std::optional<std::size_t> opened_by(std::string_view text);
  static bool may_open(std::string_view text);

  CodeSpans code_;
  std::string held_;                   // begins an opening tag
  std::optional<std::size_t> inside_;  // the number of the block's name
  std::size_t closing_ = 0;            // bytes of its closing tag that have come
  bool alone_ = false;                 // nothing stands before the block in its line
  bool behind_ = false;                // right behind a block that stood so
  bool changed_ = false;
};

}  // namespace splitproof::text
