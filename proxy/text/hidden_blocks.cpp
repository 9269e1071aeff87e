#include "proxy/text/hidden_blocks.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace splitproof::text {
namespace {

constexpr std::string_view kNames[] = {"workspace_information", "workspace_layout", "user_information",
                                       "environment_details"};

}  // namespace

void HiddenBlocks::feed(std::string& text) {
  CodeSpans code = code_;
  if (!inside_ && held_.empty() && code.pass(text, 0) == text.size())
    code_ = code;
  else
    read(std::exchange(text, {}), false, text);
}

void HiddenBlocks::finish(std::string& out) {
  read({}, true, out);
  const bool changed = changed_;
  *this = {};
  changed_ = changed;
}

void HiddenBlocks::read(std::string_view piece, bool last, std::string& out) {
  const std::string joined = held_.empty() ? std::string() : held_ + std::string(piece);
  const std::string_view text = held_.empty() ? piece : std::string_view(joined);
  held_.clear();
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (inside_) {
      take_inside(c);
      ++at;
      continue;
    }
    if (behind_) {
      behind_ = false;
      if (c == '\n') {
        ++at;
        continue;
      }
    }
    if (const std::size_t end = code_.pass(text, at); end != at) {
      out.append(text, at, end - at);
      at = end;
      continue;
    }
    if (c == '<' && code_.outside()) {
      if (const auto name = opened_by(text.substr(at))) {
        open(*name);
        at += kNames[*name].size() + 2;
        continue;
      }
      if (!last && may_open(text.substr(at))) {
        held_ = text.substr(at);
        return;
      }
    }
    out += c;
    code_.take(c);
    ++at;
  }
}

void HiddenBlocks::open(std::size_t name) {
  inside_ = name;
  closing_ = 0;
  alone_ = code_.blank() && code_.indent() == 0;
  changed_ = true;
}

void HiddenBlocks::take_inside(char c) {
  const std::string_view name = kNames[*inside_];
  const std::size_t size = name.size() + 3;  // of </NAME>
  const char wanted = closing_ < 2 ? "</"[closing_] : closing_ == size - 1 ? '>' : name[closing_ - 2];
  closing_ = c == wanted ? closing_ + 1 : c == '<' ? 1 : 0;
  if (closing_ < size) return;
  inside_.reset();
  closing_ = 0;
  behind_ = alone_;
}

// Returns the index of the name in the opening tag at the start of `text`.
std::optional<std::size_t> HiddenBlocks::opened_by(std::string_view text) {
  for (std::size_t number = 0; number < std::size(kNames); ++number) {
    const std::size_t size = kNames[number].size();
    if (text.size() > size + 1 && text.substr(1, size) == kNames[number] && text[size + 1] == '>')
      return number;
  }
  return std::nullopt;
}

// True if `text` is an incomplete opening tag.
bool HiddenBlocks::may_open(std::string_view text) {
  return std::any_of(std::begin(kNames), std::end(kNames), [&](std::string_view name) {
    return text.size() <= name.size() + 1 && name.starts_with(text.substr(1));
  });
}

}  // namespace splitproof::text
