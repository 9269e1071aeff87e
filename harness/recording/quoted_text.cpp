#include "harness/recording/quoted_text.hpp"

#include <charconv>
#include <cstdint>

namespace splitproof::recording {
namespace {

constexpr std::uint32_t kHighSurrogates = 0xD800;
constexpr std::uint32_t kLowSurrogates = 0xDC00;
constexpr std::uint32_t kBehindSurrogates = 0xE000;

void append_character(std::string& text, std::uint32_t code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr std::uint32_t kLeads[] = {0, 0xC0, 0xE0, 0xF0};
  text += static_cast<char>(kLeads[more] | code >> (6 * more));
  for (int left = more - 1; left >= 0; --left)
    text += static_cast<char>(0x80 | ((code >> (6 * left)) & 0x3F));
}

// Reads a string up to a closing quote, or to the end of the text.
class EscapeReader {
 public:
  EscapeReader(std::string_view text, std::size_t at, char quote, bool bytes)
      : text_(text), at_(at), quote_(quote), bytes_(bytes) {}

  std::optional<QuotedText> read() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (quote_ != '\0' && c == quote_) return QuotedText{std::move(made_), at_ + 1};
      if (c == '\n') return std::nullopt;
      if (c != '\\') {
        made_ += c;
      } else if (!escape()) {
        return std::nullopt;
      }
    }
    if (quote_ != '\0') return std::nullopt;
    return QuotedText{std::move(made_), at_};
  }

 private:
  // Reads the escape whose backslash is at `at_`, and leaves `at_` on its last character.
  bool escape() {
    constexpr std::string_view kNames = "nrtbfav0/\\\"'";
    constexpr std::string_view kMeant("\n\r\t\b\f\a\v\0/\\\"'", 12);
    if (++at_ == text_.size()) return false;
    const char name = text_[at_];
    if (const std::size_t known = kNames.find(name); known != std::string_view::npos) {
      made_ += kMeant[known];
      return true;
    }
    const std::size_t digits = name == 'x' ? 2 : name == 'u' ? 4 : name == 'U' ? 8 : 0;
    auto code = digits == 0 ? std::nullopt : hex(at_ + 1, digits);
    if (!code) return false;
    at_ += digits;
    if (bytes_ && name == 'x') {
      made_ += static_cast<char>(*code);
      return true;
    }
    if (*code >= kHighSurrogates && *code < kLowSurrogates && text_.substr(at_ + 1, 2) == "\\u") {
      const auto low = hex(at_ + 3, 4);
      if (!low || *low < kLowSurrogates || *low >= kBehindSurrogates) return false;
      code = 0x10000 + ((*code - kHighSurrogates) << 10) + (*low - kLowSurrogates);
      at_ += 6;
    }
    if (*code > 0x10FFFF || (*code >= kHighSurrogates && *code < kBehindSurrogates)) return false;
    append_character(made_, *code);
    return true;
  }

  std::optional<std::uint32_t> hex(std::size_t at, std::size_t digits) const {
    if (at + digits > text_.size()) return std::nullopt;
    std::uint32_t value = 0;
    const char* begin = text_.data() + at;
    const auto [end, failed] = std::from_chars(begin, begin + digits, value, 16);
    if (failed != std::errc() || end != begin + digits) return std::nullopt;
    return value;
  }

  std::string_view text_;
  std::size_t at_;
  char quote_;  // '\0': the string ends with the text
  bool bytes_;
  std::string made_;
};

}  // namespace

std::optional<QuotedText> read_quoted(std::string_view line, std::size_t at) {
  if (at >= line.size() || (line[at] != '\'' && line[at] != '"')) return std::nullopt;
  const bool bytes = at > 0 && line[at - 1] == 'b';
  return EscapeReader(line, at + 1, line[at], bytes).read();
}

std::optional<std::string> unescaped(std::string_view text) {
  auto all = EscapeReader(text, 0, '\0', false).read();
  if (!all) return std::nullopt;
  return std::move(all->text);
}

std::optional<std::vector<std::string>> read_quoted_list(std::string_view text) {
  std::vector<std::string> all;
  std::size_t at = 0;
  const auto skip_blanks = [&] { at = std::min(text.find_first_not_of(" \t\r\n", at), text.size()); };
  skip_blanks();
  const bool is_list = at < text.size() && (text[at] == '[' || text[at] == '(');
  const char close = is_list && text[at] == '[' ? ']' : ')';
  if (is_list) ++at;
  while (true) {
    skip_blanks();
    if (is_list && at < text.size() && text[at] == close) break;
    if (at < text.size() && (text[at] == 'b' || text[at] == 'u')) ++at;
    auto one = read_quoted(text, at);
    if (!one) return std::nullopt;
    all.push_back(std::move(one->text));
    at = one->end;
    if (!is_list) break;
    skip_blanks();
    if (at < text.size() && text[at] == ',') ++at;
  }
  if (is_list) ++at;
  skip_blanks();
  if (at != text.size() || all.empty()) return std::nullopt;
  return all;
}

}  // namespace splitproof::recording
