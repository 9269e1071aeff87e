#include "harness/report/markdown.hpp"

#include <algorithm>

#include "harness/lower_case.hpp"
#include "harness/visible.hpp"

namespace splitproof::report::markdown {
namespace {

// Returns the length of the longest run of backticks.
std::size_t longest_run(std::string_view text) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

std::string text(std::string_view bytes) {
  // Letters, digits and these characters have no special meaning inside a line. A backslash escapes all other ASCII
  // characters. Dots and colons inside a word are escaped too, because Markdown makes links of bare addresses.
  constexpr std::string_view kHarmless = " ,;'\"/?%^=()-+";
  const std::string shown = visible(bytes);
  std::string out;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    const bool ascii = static_cast<unsigned char>(c) < 0x80;
    const bool ends_word = i + 1 == shown.size() || shown[i + 1] == ' ';
    if (ascii && !letter && kHarmless.find(c) == std::string_view::npos &&
        !((c == '.' || c == ':') && ends_word))
      out += '\\';
    out += c;
  }
  return out;
}

std::string code(std::string_view bytes) {
  const std::string shown = visible(bytes);
  if (shown.empty()) return "";
  const std::string fence(longest_run(shown) + 1, '`');
  // Markdown strips one blank on each side of the code, unless the code is only blanks.
  const bool only_blanks = shown.find_first_not_of(' ') == std::string::npos;
  const auto delicate = [](char c) { return c == '`' || c == ' '; };
  const std::string pad = !only_blanks && (delicate(shown.front()) || delicate(shown.back())) ? " " : "";
  return fence + pad + shown + pad + fence;
}

std::string code_cell(std::string_view bytes) {
  return bytes.find('|') == std::string_view::npos ? code(bytes) : text(bytes);
}

std::string block(std::string_view bytes, std::string_view language) {
  std::string lines;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
    lines += visible(bytes.substr(0, end)) + "\n";
    bytes.remove_prefix(end);
  }
  return lines_block(lines, language);
}

std::string lines_block(std::string_view lines, std::string_view language) {
  const std::string fence(std::max<std::size_t>(3, longest_run(lines) + 1), '`');
  std::string out = fence + std::string(language) + "\n" + std::string(lines);
  if (!lines.empty() && lines.back() != '\n') out += "\n";
  return out + fence + "\n";
}

std::string fragment(std::string_view heading) {
  std::string out;
  for (const char c : lower_case(std::string(heading))) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_') {
      out += c;
    } else if (c == ' ') {
      out += '-';
    }
  }
  return out;
}

}  // namespace splitproof::report::markdown
