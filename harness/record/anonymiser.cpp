#include "harness/record/anonymiser.hpp"

#include <algorithm>

#include "harness/strict_json.hpp"
#include "harness/utf8.hpp"

namespace splitproof::record {
namespace {

using dialect::MemberContent;

constexpr std::size_t kMostTexts = 1000;
// Letters of two, three and four bytes.
constexpr std::string_view kOtherLetters[] = {"", "", "\xC3\xBF", "\xEF\xBD\x98", "\xF0\x9F\x98\x80"};

char replaced(char c) {
  if ('a' <= c && c <= 'z') return 'x';
  if ('A' <= c && c <= 'Z') return 'X';
  return '1' <= c && c <= '9' ? '1' : c;
}

bool is_in_number(char c) {
  return ('0' <= c && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// Replaces \u00e9 by \u00ff, and each half of a surrogate pair by the same half of one other pair. Escapes of ASCII stay.
void replace_escape(std::string& text, std::size_t begin) {
  const std::string code = text.substr(begin + 2, 4);
  if (code.size() < 4 || code.starts_with("00")) return;
  const char high = static_cast<char>(code[0] | 0x20);
  if (high == 'd' && code[1] >= '8') {
    const bool is_second = (code[1] | 0x20) >= 'c';
    text.replace(begin + 2, 4, is_second ? "de00" : "d83d");
  } else {
    text.replace(begin + 2, 4, "ff58");
  }
}

}  // namespace

bool JsonTextWords::take(char c) {
  if (hex_digits_ > 0) {
    --hex_digits_;
    return false;
  }
  if (escaped_) {
    escaped_ = false;
    hex_digits_ = c == 'u' ? 4 : 0;
    return false;
  }
  if (in_string_) {
    escaped_ = c == '\\';
    in_string_ = c != '"';
    return in_string_ && !escaped_ && !in_name_;
  }
  const bool in_object = !open_.empty() && open_.back() == '{';
  if (c == '"') {
    in_string_ = true;
    in_name_ = in_object && name_next_;
  } else if (c == '{' || c == '[') {
    open_ += c;
    name_next_ = c == '{';
  } else if (c == '}' || c == ']') {
    if (!open_.empty()) open_.pop_back();
  } else if (c == ',' || c == ':') {
    name_next_ = c == ',' && in_object;
  }
  return '0' <= c && c <= '9';
}

MemberContent Anonymiser::content() const {
  if (levels_.empty()) return MemberContent::structure;
  const Level& level = levels_.back();
  if (level.is_free) return MemberContent::words;
  return level.is_object ? dialect::content_of_member(level.member, level.type, false) : level.content;
}

JsonTextWords& Anonymiser::text_of_member() {
  const Level& level = levels_.back();
  if (texts_.size() > kMostTexts) texts_.clear();
  return texts_[level.index + "/" + level.type + "/" + level.member];
}

void Anonymiser::open(bool is_object) {
  if (levels_.size() == kMaxJsonDepth) levels_.clear();  // no provider comes close
  Level inner;
  inner.is_object = is_object;
  inner.name_next = is_object;
  if (!levels_.empty()) {
    const Level& outer = levels_.back();
    inner.index = outer.index;
    const MemberContent own =
        outer.is_object ? dialect::content_of_member(outer.member, outer.type, is_object) : outer.content;
    inner.is_free = outer.is_free || own == MemberContent::values;
    if (!is_object) inner.content = own;
  }
  levels_.push_back(std::move(inner));
}

// Replaces in a string if its member has words. Returns the offset after it.
std::size_t Anonymiser::take_string(std::string& text, std::size_t begin, std::size_t end) {
  std::size_t close = begin + 1;
  while (close < end && text[close] != '"') close += text[close] == '\\' ? 2 : 1;
  close = std::min(close, end);
  const std::string_view value = std::string_view(text).substr(begin + 1, close - begin - 1);
  Level* level = levels_.empty() ? nullptr : &levels_.back();
  if (level != nullptr && level->is_object && level->name_next) {
    level->member = value;
    level->name_next = false;
    return close + 1;
  }
  if (level != nullptr && level->is_object && level->member == "type") level->type = value;
  // Calls may share an index.
  if (level != nullptr && level->is_object && level->member == "item_id")
    level->index += std::string(value) + ";";
  const MemberContent kind = content();
  if (kind == MemberContent::structure || kind == MemberContent::values) return close + 1;
  JsonTextWords* inner = kind == MemberContent::json_text ? &text_of_member() : nullptr;
  for (std::size_t i = begin + 1; i < close;) {
    const bool is_escape = text[i] == '\\';
    const bool is_code = is_escape && i + 1 < close && text[i + 1] == 'u';
    if (is_escape) {
      const char plain = is_code ? '\x7F' : text[std::min(i + 1, close - 1)];
      const bool may_change = inner == nullptr || inner->take(plain);
      if (is_code && may_change) replace_escape(text, i);
      i += is_code ? 6 : 2;
      continue;
    }
    const Utf8Step step = utf8_step(std::string_view(text).substr(i, close - i));
    const bool may_change = inner == nullptr || inner->take(text[i]);
    if (may_change && step.length == 1) text[i] = replaced(text[i]);
    if (may_change && step.length > 1 && step.kind == Utf8Step::Kind::well_formed)
      text.replace(i, step.length, kOtherLetters[step.length]);
    i += step.length;
  }
  return close + 1;
}

// Numbers in an input of a call are the user's. The numbers of choices and blocks show to which text a piece belongs.
std::size_t Anonymiser::take_number(std::string& text, std::size_t begin, std::size_t end) {
  std::size_t close = begin;
  while (close < end && is_in_number(text[close])) ++close;
  if (levels_.empty()) return close;
  Level& level = levels_.back();
  if (level.is_free) {
    for (std::size_t i = begin; i < close; ++i)
      if ('0' <= text[i] && text[i] <= '9') text[i] = replaced(text[i]);
  } else if (level.is_object && (level.member == "index" || level.member.ends_with("_index"))) {
    level.index += level.member + "=" + text.substr(begin, close - begin) + ";";
  }
  return close;
}

// Takes a part of a JSON document.
void Anonymiser::take(std::string& text, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end;) {
    const char c = text[i];
    Level* level = levels_.empty() ? nullptr : &levels_.back();
    if (c == '"') {
      i = take_string(text, i, end);
      continue;
    }
    if (('0' <= c && c <= '9') || c == '-') {
      i = take_number(text, i, end);
      continue;
    }
    if (c == '{' || c == '[') {
      open(c == '{');
    } else if ((c == '}' || c == ']') && level != nullptr) {
      levels_.pop_back();
    } else if (c == ',' && level != nullptr) {
      level->name_next = level->is_object;
    }
    ++i;
  }
}

void Anonymiser::take_document(std::string& json) {
  levels_.clear();
  take(json, 0, json.size());
}

void Anonymiser::take_lines(std::string& lines) {
  // The lines of an array are no fields, so they are taken whole, and none of them is blank.
  if (framing_ != Framing::sse && framing_ != Framing::sse_or_array) return take(lines, 0, lines.size());
  for (std::size_t begin = 0; begin < lines.size();) {
    const std::size_t end = std::min(lines.find_first_of("\r\n", begin), lines.size());
    const std::string_view line = std::string_view(lines).substr(begin, end - begin);
    // A blank line ends an event, and with it a document.
    if (line.empty()) levels_.clear();
    const bool is_field = line.starts_with("data:");
    const bool is_other_field = line.starts_with(':') || line.starts_with("event:") ||
                                line.starts_with("id:") || line.starts_with("retry:");
    if (!is_other_field) take(lines, begin + (is_field ? 5 : 0), end);
    const bool is_crlf = lines.compare(end, 2, "\r\n") == 0;
    begin = end + (is_crlf ? 2 : 1);
  }
}

}  // namespace splitproof::record
