#include "proxy/text/think_tags.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>

#include "proxy/wire/empty.hpp"

namespace splitproof::text {
namespace {

using turn::BlockKind;
using turn::Event;

constexpr std::string_view kOpen = "<think>";
constexpr std::string_view kClose = "</think>";

// Returns the number of bytes at the end of `text` that begin a closing tag.
std::size_t tag_tail(std::string_view text) {
  std::size_t size = std::min(text.size(), kClose.size() - 1);
  while (text.substr(text.size() - size) != kClose.substr(0, size)) --size;
  return size;
}

}  // namespace

void ThinkTags::accept(Event event, std::vector<Event>& events) {
  const auto* prose = std::get_if<turn::Prose>(&event);
  if (prose != nullptr && prose->kind == BlockKind::text && position_ != Position::past) {
    take(*prose, events);
    return;
  }
  if (const auto* close = std::get_if<turn::Close>(&event); close != nullptr && close->part == part_)
    end_part(events);
  const bool begins = prose != nullptr || std::holds_alternative<turn::CallPiece>(event);
  const bool ends = std::holds_alternative<turn::Done>(event) || std::holds_alternative<turn::Failure>(event);
  if (begins || ends) finish(events);
  if (begins && position_ == Position::head) position_ = Position::past;
  events.push_back(std::move(event));
}

void ThinkTags::finish(std::vector<Event>& events) {
  say(position_ == Position::inside ? BlockKind::thinking : BlockKind::text, held_, events);
  wire::empty(held_);
}

void ThinkTags::say(BlockKind kind, std::string_view text, std::vector<Event>& events) const {
  if (!text.empty()) events.push_back(turn::Prose{kind, std::string(text), part_});
}

// The held bytes are text, because a tag cannot continue in another part.
void ThinkTags::end_part(std::vector<Event>& events) {
  if (position_ == Position::head && !held_.empty()) position_ = Position::past;
  finish(events);
}

void ThinkTags::take(const turn::Prose& prose, std::vector<Event>& events) {
  if (prose.part != part_) end_part(events);
  part_ = prose.part;
  if (position_ == Position::past) {
    say(BlockKind::text, prose.text, events);
    return;
  }
  held_ += prose.text;
  if (position_ == Position::head) {
    if (held_.size() < kOpen.size() && kOpen.substr(0, held_.size()) == held_) return;
    if (held_.compare(0, kOpen.size(), kOpen) != 0) {
      position_ = Position::past;
      finish(events);
      return;
    }
    position_ = Position::inside;
    held_.erase(0, kOpen.size());
  }
  close_at_tag(events);
}

void ThinkTags::close_at_tag(std::vector<Event>& events) {
  const std::size_t tag = held_.find(kClose);
  if (tag == std::string::npos) {
    const std::size_t certain = held_.size() - tag_tail(held_);
    say(BlockKind::thinking, std::string_view(held_).substr(0, certain), events);
    held_.erase(0, certain);
    return;
  }
  say(BlockKind::thinking, std::string_view(held_).substr(0, tag), events);
  held_.erase(0, tag + kClose.size());
  position_ = Position::past;
  finish(events);
}

}  // namespace splitproof::text
