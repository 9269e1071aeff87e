#include "proxy/request/retention.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "proxy/request/call_markup.hpp"
#include "proxy/request/escaped.hpp"

namespace splitproof::request {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// Finds tags from left to right. Remembers the next ones.
class Tags {
 public:
  explicit Tags(std::string_view text) : text_(text), last_close_(text.rfind(kResultClose)) {}

  // Returns the next call's tag from `at` on. `at` never decreases.
  std::size_t call(std::size_t at) {
    if (call_ != kNone && call_ < at) call_ = text_.find(kCallOpen, at);
    return call_;
  }

  // The same for a result's tag with an end.
  std::size_t result(std::size_t at) {
    if (result_ != kNone && result_ < at) result_ = find_result(at);
    return result_;
  }

 private:
  std::size_t find_result(std::size_t from) const {
    for (std::size_t at = text_.find(kResultOpen, from); at != kNone; at = text_.find(kResultOpen, at + 1)) {
      const std::size_t behind = at + kResultOpen.size();
      if (last_close_ == kNone || last_close_ < behind) return kNone;
      if (text_[behind] == '>' || text_[behind] == ' ') return at;
    }
    return kNone;
  }

  std::string_view text_;
  std::size_t last_close_;  // of a result
  std::size_t call_ = text_.find(kCallOpen);
  std::size_t result_ = find_result(0);
};

std::string without_markup(std::string_view text) {
  std::string prose;
  Tags tags(text);
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t call = tags.call(at);
    const std::size_t result = tags.result(at);
    const std::size_t begin = std::min(call, result);
    prose += text.substr(at, begin - at);
    if (begin == kNone) break;
    const std::string_view close = begin == call ? kCallClose : kResultClose;
    const std::size_t end = text.find(close, begin);
    if (end == kNone) break;
    at = end + close.size();
  }
  return prose;
}

// Removes lines such as `[Called tool look with input {"x":[1]}]`, which an assistant would imitate.
std::string without_narration(const std::string& text) {
  constexpr std::string_view kNarration = "[Called tool ";
  std::string kept;
  std::size_t at = 0;
  for (std::size_t begin = text.find(kNarration); begin != kNone; begin = text.find(kNarration, at)) {
    kept += text.substr(at, begin - at);
    const std::size_t line_end = std::min(text.find('\n', begin), text.size());
    const std::size_t close = std::string_view(text).substr(begin, line_end - begin).rfind(']');
    at = close == kNone ? line_end : begin + close + 1;
  }
  return kept + text.substr(at);
}

constexpr const char* kWhite = " \t\r\n";

// Keeps the client's own escapes if the text is unchanged.
void set(Text& text, const std::string& said, const std::string& kept) {
  if (kept != said) text.text = escaped(kept);
}

// Trims the turn's prose at both ends, next to removed text. White space between its texts is the model's.
void trim(Turn& turn) {
  for (Block& block : turn.blocks) {
    auto* text = std::get_if<Text>(&block);
    if (text == nullptr) continue;
    const std::string said = plain(text->text);
    const std::size_t begin = said.find_first_not_of(kWhite);
    set(*text, said, begin == kNone ? "" : said.substr(begin));
    if (begin != kNone) break;
  }
  for (auto block = turn.blocks.rbegin(); block != turn.blocks.rend(); ++block) {
    auto* text = std::get_if<Text>(&*block);
    if (text == nullptr) continue;
    const std::string said = plain(text->text);
    const std::size_t end = said.find_last_not_of(kWhite);
    set(*text, said, end == kNone ? "" : said.substr(0, end + 1));
    if (end != kNone) break;
  }
  std::erase(turn.blocks, Block(Text()));
}

// True if a turn is empty or only a full stop.
bool is_hollow(const Turn& turn) {
  return std::all_of(turn.blocks.begin(), turn.blocks.end(), [&](const Block& block) {
    const auto* text = std::get_if<Text>(&block);
    if (text == nullptr) return false;
    const std::string said = plain(text->text);
    return said.find_first_not_of(kWhite) == std::string::npos || (said == "." && turn.blocks.size() == 1);
  });
}

}  // namespace

std::string without_written_calls(std::string_view text) { return without_narration(without_markup(text)); }

void clean_history(Asked& asked) {
  for (Turn& turn : asked.turns) {
    if (turn.role != Role::assistant) continue;
    bool changed = false;
    for (Block& block : turn.blocks) {
      auto* text = std::get_if<Text>(&block);
      if (text == nullptr) continue;
      const std::string said = plain(text->text);
      const std::string kept = without_written_calls(said);
      changed = changed || kept != said;
      set(*text, said, kept);
    }
    if (changed) trim(turn);
  }
  std::erase_if(asked.turns,
                [](const Turn& turn) { return turn.role == Role::assistant && is_hollow(turn); });
}

}  // namespace splitproof::request
