#include <algorithm>
#include <array>
#include <cctype>

#include "harness/recording/stream_lines.hpp"
#include "harness/recording/wrappers.hpp"

namespace splitproof::recording {
namespace {

std::string_view trimmed(std::string_view line) {
  while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
  while (line.starts_with(' ') || line.starts_with('\t')) line.remove_prefix(1);
  return line;
}

template <std::size_t N>
bool begins_with_any(std::string_view line, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return line.starts_with(word); });
}

// True for the output of `time`: of a shell, of the program, and of csh.
bool is_of_time(std::string_view line) {
  for (const std::string_view name : {"real", "user", "sys"}) {
    if (!line.starts_with(name)) continue;
    const std::string_view value = trimmed(line.substr(name.size()));
    return value.size() < line.size() - name.size() && !value.empty() &&
           std::isdigit(static_cast<unsigned char>(value.front())) != 0;
  }
  constexpr std::array<std::string_view, 2> kOfTheProgram = {"Command exited with non-zero status ",
                                                             "\tCommand being timed: "};
  return begins_with_any(line, kOfTheProgram) ||
         (line.ends_with(" total") && line.find("% cpu ") != line.npos) ||
         (line.find("elapsed ") != line.npos && line.find("%CPU") != line.npos) ||
         (line.find("inputs+") != line.npos && line.find("pagefaults") != line.npos);
}

// True for NAME@HOST with any text after it, as in many prompts.
bool begins_with_login(std::string_view text) {
  const std::size_t at = text.find('@');
  if (at == 0 || at == text.npos || at + 1 == text.size()) return false;
  const auto is_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
  };
  return std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), is_of_name) &&
         is_of_name(text[at + 1]);
}

// True for the prompt of a shell, with or without a command.
bool is_prompt(std::string_view line) {
  constexpr std::array<std::string_view, 5> kArrows = {"\xE2\x9E\x9C ", "\xE2\x9D\xAF", "\xCE\xBB ",
                                                       "PS C:\\", "C:\\"};
  if (begins_with_any(line, kArrows)) return true;
  constexpr std::size_t kLongest = 120;
  const std::size_t mark = line.find_first_of("$#%");
  if (mark > kLongest) return false;
  const std::string_view after = line.substr(mark + 1);
  if (!after.empty() && after.front() != ' ') return false;
  std::string_view before = trimmed(line.substr(0, mark));
  if (before.empty()) return line[mark] != '#' || is_blank(after);
  // An environment in parentheses may come first.
  if (const std::size_t end = before.find(") "); before.starts_with('(') && end != before.npos)
    before.remove_prefix(end + 2);
  if (before.starts_with('[') && before.ends_with(']')) before = before.substr(1, before.size() - 2);
  constexpr std::array<std::string_view, 4> kShells = {"bash-", "sh-", "zsh-", "~"};
  return begins_with_login(before) || begins_with_any(before, kShells);
}

// True for the line that ends a terminal session, or a program in it.
bool ends_session(std::string_view line) {
  constexpr std::array<std::string_view, 9> kWhole = {"exit",
                                                      "logout",
                                                      "^C",
                                                      "^D",
                                                      "EOF",
                                                      "Killed",
                                                      "Terminated",
                                                      "[Process completed]",
                                                      "Connection closed by foreign host."};
  constexpr std::array<std::string_view, 3> kBegin = {"Script done", "* Connection #",
                                                      "* Closing connection"};
  return std::find(kWhole.begin(), kWhole.end(), trimmed(line)) != kWhole.end() ||
         begins_with_any(line, kBegin) || (line.starts_with("Connection to ") && line.ends_with(" closed."));
}

bool begins_signature(std::string_view line) {
  constexpr std::array<std::string_view, 2> kOfPhones = {"Sent from my ", "Get Outlook for "};
  return trimmed(line) == "--" || begins_with_any(line, kOfPhones);
}

// Returns how many quotes close a string of a program in this line, or 0. The rest of the line must only end
// the statement.
std::size_t closing_quotes(std::string_view line) {
  line = trimmed(line);
  if (line.empty() || std::string_view("\"'`").find(line.front()) == line.npos) return 0;
  const std::size_t count = std::min(line.find_first_not_of(line.front()), line.size());
  return count <= 3 && line.find_first_not_of(")]};,", count) == line.npos ? count : 0;
}

// Returns the length of the prompt at the end of a stream's line. It follows directly if the stream ends
// inside a line.
std::size_t prompt_behind(std::string_view line) {
  const std::size_t end = line.find_last_of("}]") + 1;
  if (end == 0 || end == line.size()) return 0;
  const std::string_view rest = line.substr(end);
  // Zsh marks such an end.
  const bool is_one = begins_with_login(rest) ? is_prompt(rest) : trimmed(rest) == "%";
  return is_one ? rest.size() : 0;
}

}  // namespace

std::optional<Tail> tail_of(const CapturedFile& file) {
  const auto last = std::find_if(file.lines.rbegin(), file.lines.rend(), is_field).base();
  if (last == file.lines.begin()) return std::nullopt;
  const auto offset = [&](std::string_view line) {
    return static_cast<std::size_t>(line.data() - file.bytes.data());
  };
  if (const std::size_t size = prompt_behind(last[-1]); size > 0)
    return Tail{offset(last[-1]) + last[-1].size() - size, "a shell prompt", false};
  for (auto line = last; line != file.lines.end(); ++line) {
    const std::size_t begin = offset(*line);
    if (is_of_time(*line)) {
      // The shell prints a blank line first.
      const bool of_shell = line->starts_with("real\t") && line != last && is_blank(line[-1]);
      return Tail{of_shell ? offset(line[-1]) : begin, "the output of `time`", false};
    }
    if (is_prompt(*line)) return Tail{begin, "a shell prompt", false};
    if (ends_session(*line)) return Tail{begin, "the end of a terminal session", false};
    if (begins_signature(*line)) return Tail{begin, "the signature of a mail", true};
    // One quote may belong to the stream; after three quotes the program may continue.
    const std::size_t quotes = closing_quotes(*line);
    if (quotes == 3 || (quotes > 0 && std::all_of(line + 1, file.lines.end(), is_blank)))
      return Tail{begin, "closing quotes", true};
  }
  return std::nullopt;
}

std::size_t prompt_inside(const CapturedFile& file) {
  const auto found = std::find_if(file.lines.begin(), file.lines.end(),
                                  [](std::string_view line) { return !is_field(line) && is_prompt(line); });
  return found == file.lines.end() ? 0 : static_cast<std::size_t>(found - file.lines.begin()) + 1;
}

}  // namespace splitproof::recording
