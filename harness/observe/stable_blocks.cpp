#include "harness/observe/stable_blocks.hpp"

#include <algorithm>

#include "harness/observe/hidden_names.hpp"

namespace splitproof::observe {

void StableBlocks::read(std::string_view text, std::string& told) {
  while (at_ < text.size()) {
    if (!closes_.empty()) {
      const std::size_t end = text.find(closes_, at_);
      if (end == text.npos) {
        // The tag may have begun.
        at_ = std::max(at_, text.size() - std::min(text.size(), closes_.size() - 1));
        return;
      }
      at_ = end + closes_.size();
      closes_.clear();
      line_feed_ = code_.line_begins();
      continue;
    }
    const char c = text[at_];
    const bool goes_with_block = line_feed_ && c == '\n';
    line_feed_ = false;
    if (goes_with_block) {
      ++at_;
      continue;
    }
    if (c == '<' && !code_.in_code()) {
      const Tag tag = tag_at(text);
      if (tag == Tag::begun) return;
      if (tag == Tag::opens) continue;
    }
    told += c;
    code_.take(c);
    ++at_;
  }
}

/// Returns the tag at the current place, and takes an opening tag.
StableBlocks::Tag StableBlocks::tag_at(std::string_view text) {
  const std::string_view rest = text.substr(at_);
  for (const std::string_view name : kHiddenBlocks) {
    const std::string tag = "<" + std::string(name) + ">";
    if (rest.starts_with(tag)) {
      at_ += tag.size();
      closes_ = "</" + tag.substr(1);
      return Tag::opens;
    }
    if (tag.starts_with(rest)) return Tag::begun;
  }
  return Tag::none;
}

}  // namespace splitproof::observe
