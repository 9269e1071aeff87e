#include "tests/harness/split/seam_definition.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace splitproof::split {

Place::Place(std::string_view body, std::size_t offset) : body_(body), offset_(offset) {
  first_line_ = body.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
  line_ = offset;
  while (line_ > first_line_ && !is_line_start(line_)) --line_;
  line_end_ = line_;
  while (line_end_ < body.size() && !is_line_end(line_end_)) ++line_end_;
  colon_ = std::min(body.find(':', line_), line_end_);
  value_ = std::min(colon_ + (at(colon_ + 1) == ' ' ? 2 : 1), line_end_);

  for (std::size_t i = value_; i < offset_; ++i) {
    if (body_[i] != '"') continue;
    string_ = i;
    for (++i; i < line_end_ && body_[i] != '"'; ++i) i += body_[i] == '\\';
    string_end_ = i + 1;
    if (offset_ < string_end_) return;
    string_ = 0;
  }
}

bool Place::is_line_start(std::size_t offset) const {
  if (offset == first_line_) return true;
  if (offset < first_line_) return false;
  return at(offset - 1) == '\n' || (at(offset - 1) == '\r' && at(offset) != '\n');
}

/// For the start of a line other than the first: returns the end of the previous line's content.
std::size_t Place::end_of_previous_line() const {
  const bool crlf = offset_ >= 2 && body_.substr(offset_ - 2, 2) == "\r\n";
  return offset_ - (crlf ? 2 : 1);
}

bool Place::in_utf8(std::size_t length) const {
  for (std::size_t back = 1; back < length && back <= offset_; ++back) {
    const std::size_t begin = offset_ - back;
    if (begin + length > body_.size()) continue;
    const auto lead = static_cast<unsigned char>(body_[begin]);
    const unsigned lead_mark = length == 2 ? 0xC0 : length == 3 ? 0xE0 : 0xF0;
    const unsigned lead_mask = length == 2 ? 0xE0 : length == 3 ? 0xF0 : 0xF8;
    if ((lead & lead_mask) != lead_mark) continue;
    unsigned long code = lead & ~lead_mask & 0xFFU;
    bool continued = true;
    for (std::size_t i = 1; i < length; ++i) {
      const auto next = static_cast<unsigned char>(body_[begin + i]);
      continued = continued && (next & 0xC0U) == 0x80;
      code = code * 64 + (next & 0x3FU);
    }
    const unsigned long least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
    if (continued && code >= least && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF)) return true;
  }
  return false;
}

bool Place::is(SeamKind kind) const {
  const bool after_a_line = is_line_start(offset_) && offset_ > first_line_;
  switch (kind) {
    case SeamKind::first_byte:
      return offset_ == 1;
    case SeamKind::last_byte:
      return offset_ + 1 == body_.size();
    case SeamKind::bom:
      return offset_ < first_line_;
    case SeamKind::utf8_2:
      return in_utf8(2);
    case SeamKind::utf8_3:
      return in_utf8(3);
    case SeamKind::utf8_4:
      return in_utf8(4);
    case SeamKind::before_line_end:
      return offset_ == line_end_ && line_ < line_end_;
    case SeamKind::between_lines:
      return after_a_line && !is_line_end(offset_) && !is_line_start(end_of_previous_line());
    case SeamKind::cr_lf:
      return at(offset_ - 1) == '\r' && at(offset_) == '\n';
    case SeamKind::blank_line:
      return after_a_line && is_line_end(offset_);
    case SeamKind::blank_cr_lf:
      return at(offset_ - 1) == '\r' && at(offset_) == '\n' && is_line_start(offset_ - 1);
    case SeamKind::event_boundary:
      return after_a_line && is_line_start(end_of_previous_line());
    default:
      return offset_ >= first_line_ && offset_ > line_ && offset_ <= line_end_ && in_line(kind);
  }
}

bool Place::in_line(SeamKind kind) const {
  const bool inside = offset_ < line_end_;
  if (at(line_) == ':') return kind == SeamKind::comment && inside;
  const std::string_view name = body_.substr(line_, colon_ - line_);
  const std::string_view value = body_.substr(value_, line_end_ - value_);
  const bool in_value = offset_ > value_ && inside;
  const bool done = value.substr(0, 6) == "[DONE]" && value.find_last_not_of(" \t") == 5;
  switch (kind) {
    case SeamKind::field_name:
      return offset_ < colon_;
    case SeamKind::before_colon:
      return offset_ == colon_ && inside;
    case SeamKind::after_colon:
      return offset_ == colon_ + 1;
    case SeamKind::after_space:
      return offset_ == colon_ + 2 && at(colon_ + 1) == ' ';
    case SeamKind::field_value:
      return in_value && name != "data";
    case SeamKind::done:
      return in_value && name == "data" && done && offset_ < value_ + 6;
    case SeamKind::comment:
      return false;
    default:
      return in_value && name == "data" && !done && in_json(kind);
  }
}

bool Place::in_json(SeamKind kind) const {
  const auto structural = [](char byte) {
    return std::string_view("{}[]:,").find(byte) != std::string_view::npos;
  };
  if (string_ == 0) {
    switch (kind) {
      case SeamKind::structure:
        return structural(at(offset_ - 1)) || structural(at(offset_));
      case SeamKind::number:
        return in_number();
      case SeamKind::literal:
        return in_literal();
      default:
        return false;
    }
  }
  std::size_t after = string_end_;
  while (at(after) == ' ') ++after;
  const bool key = at(after) == ':';
  switch (kind) {
    case SeamKind::key:
      return key;
    case SeamKind::string:
      return !key;
    case SeamKind::escape:
      return begins_escape(offset_ - 1) &&
             std::string_view("\"\\/bfnrt").find(at(offset_)) != std::string_view::npos;
    case SeamKind::unicode_escape:
      return in_unicode_escape(false);
    case SeamKind::surrogate_escape:
      return in_unicode_escape(true);
    case SeamKind::between_surrogates:
      return unit(offset_ - 6) >> 10 == 0xD800 >> 10 && unit(offset_) >> 10 == 0xDC00 >> 10;
    default:
      return in_inner(kind);
  }
}

bool Place::in_number() const {
  const auto of_number = [](char byte) {
    return std::string_view("0123456789+-.eE").find(byte) != std::string_view::npos;
  };
  if (!of_number(at(offset_ - 1)) || !of_number(at(offset_))) return false;
  for (std::size_t i = offset_; i-- > value_ && of_number(body_[i]);) {
    if (body_[i] == '-' || std::isdigit(static_cast<unsigned char>(body_[i])) != 0) return true;
  }
  return false;
}

bool Place::in_literal() const {
  for (const std::string_view word : {"true", "false", "null"}) {
    for (std::size_t back = 1; back < word.size(); ++back) {
      if (offset_ - value_ >= back && body_.substr(offset_ - back, word.size()) == word) return true;
    }
  }
  return false;
}

/// True for a backslash that no other backslash escapes: it is the last of an odd run.
bool Place::begins_escape(std::size_t offset) const {
  std::size_t run = 0;
  while (run <= offset && offset - run > string_ && at(offset - run) == '\\') ++run;
  return run % 2 == 1;
}

/// Returns the code unit of the escape \uXXXX at `escape`, or -1 if this string has none there.
long Place::unit(std::size_t escape) const {
  if (escape <= string_ || escape + 6 > line_end_ || !begins_escape(escape) || at(escape + 1) != 'u')
    return -1;
  const std::string digits(body_.substr(escape + 2, 4));
  if (digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) return -1;
  return std::stol(digits, nullptr, 16);
}

bool Place::in_unicode_escape(bool of_pair) const {
  for (std::size_t back = 1; back < 6 && back < offset_; ++back) {
    const std::size_t escape = offset_ - back;
    const long code = unit(escape);
    if (code < 0) continue;
    const bool high =
        code >= 0xD800 && code < 0xDC00 && unit(escape + 6) >= 0xDC00 && unit(escape + 6) < 0xE000;
    const bool low =
        code >= 0xDC00 && code < 0xE000 && unit(escape - 6) >= 0xD800 && unit(escape - 6) < 0xDC00;
    if (!of_pair || high || low) return true;
  }
  return false;
}

bool Place::in_inner(SeamKind kind) const {
  const auto inner_unit = [this](std::size_t escape) -> long {
    const std::string text(body_.substr(std::min(escape, body_.size()), 7));
    if (escape <= string_ || text.size() < 7 || text.substr(0, 3) != "\\\\u" || !begins_escape(escape))
      return -1;
    if (text.find_first_not_of("0123456789abcdefABCDEF", 3) != std::string::npos) return -1;
    return std::stol(text.substr(3), nullptr, 16);
  };
  if (kind == SeamKind::between_inner_surrogates) {
    return inner_unit(offset_ - 7) >> 10 == 0xD800 >> 10 && inner_unit(offset_) >> 10 == 0xDC00 >> 10;
  }
  for (std::size_t back = 1; back < 7 && back < offset_; ++back) {
    const std::size_t escape = offset_ - back;
    if (escape <= string_) break;
    if (kind == SeamKind::inner_unicode_escape && inner_unit(escape) >= 0) return true;
    if (kind != SeamKind::inner_escape || back > 3 || !begins_escape(escape) || at(escape + 1) != '\\')
      continue;
    const char next = at(escape + 2);
    if (back < 3 && std::string_view("/bfnrt").find(next) != std::string_view::npos) return true;
    if (next == '\\' && std::string_view("\"\\/").find(at(escape + 3)) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace splitproof::split
