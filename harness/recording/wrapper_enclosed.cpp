#include <algorithm>
#include <array>
#include <cctype>

#include "harness/recording/quoted_text.hpp"
#include "harness/recording/stream_lines.hpp"
#include "harness/recording/wrappers.hpp"

namespace splitproof::recording {
namespace {

// The opening of an enclosure before a stream.
struct Opening {
  std::string closing;
  std::string what;
  bool is_line = false;      // the closing is a line of its own
  bool has_escapes = false;  // a backslash in it is an escape
};

constexpr const char* kString = "a string in the source of a program";

// Returns the mark of a here-document on the line, such as EOF of <<-'EOF', or "".
std::string_view here_document(std::string_view line) {
  const std::size_t at = line.rfind("<<");
  if (at == line.npos) return {};
  std::string_view mark = line.substr(at + 2);
  mark.remove_prefix(std::min(mark.find_first_not_of("-~\"' "), mark.size()));
  const auto end = std::find_if_not(mark.begin(), mark.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  });
  return mark.substr(0, static_cast<std::size_t>(end - mark.begin()));
}

// Returns the opening at the end of `head`, ignoring line ends and blanks.
std::optional<Opening> opening_of(std::string_view head) {
  const std::size_t end = head.find_last_not_of(" \t\r\n") + 1;
  const bool at_line_begin = head.find('\n', end) != head.npos;
  head = head.substr(0, end);
  if (head.ends_with("<![CDATA[")) return Opening{"]]>", "a CDATA section of XML"};
  if (at_line_begin) {
    const std::string_view mark = here_document(head.substr(head.rfind('\n') + 1));
    if (!mark.empty()) return Opening{std::string(mark), "a here-document", true};
  }
  if (at_line_begin && head.ends_with('\\')) head.remove_suffix(1);  // Python drops the line end
  constexpr std::size_t kLongestMark = 20;                           // of C++
  const std::string_view raw = head.substr(head.size() - std::min(head.size(), kLongestMark));
  if (const std::size_t open = raw.rfind("R\""); head.ends_with('(') && open != raw.npos) {
    const std::string_view mark = raw.substr(open + 2);
    if (mark.find_first_of("\" \n") == mark.npos)
      return Opening{")" + std::string(mark.substr(0, mark.size() - 1)) + "\"", kString};
  }
  for (const std::string_view quotes : {"\"\"\"", "'''", "`"}) {
    if (!head.ends_with(quotes)) continue;
    head.remove_suffix(quotes.size());
    if (head.ends_with('`')) return std::nullopt;  // a fence of Markdown
    const bool is_raw = head.ends_with('r') || head.ends_with("String.raw");
    return Opening{std::string(quotes), kString, false, !is_raw};
  }
  return std::nullopt;
}

std::size_t find_closing(std::string_view text, std::size_t at, const Opening& opening) {
  if (!opening.is_line) return text.find(opening.closing, at);
  for (const std::string_view line : lines_of(text.substr(at))) {
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    if (line.substr(begin) == opening.closing) return static_cast<std::size_t>(line.data() - text.data());
  }
  return text.npos;
}

struct Enclosed {
  std::string_view stream;
  std::string_view rest;  // from the closing on; empty: not closed
  Opening opening;
};

// Finds the first enclosed stream.
std::optional<Enclosed> find_enclosed(std::string_view text) {
  constexpr std::array<std::string_view, 5> kFields = {"data:", "event:", "id:", "retry:", ":"};
  constexpr int kTried = 64;  // quotes and sections without a stream may come first
  int tried = 0;
  for (std::size_t at = 0; at < text.size() && tried < kTried; ++at) {
    const auto begins_so = [&](std::string_view field) { return text.substr(at).starts_with(field); };
    if (std::none_of(kFields.begin(), kFields.end(), begins_so)) continue;
    auto opening = opening_of(text.substr(0, at));
    if (!opening) continue;
    ++tried;
    const std::size_t end = std::min(find_closing(text, at, *opening), text.size());
    const std::string_view stream = text.substr(at, end - at);
    if (is_stream(stream) && stream.find('\n') != stream.npos)
      return Enclosed{stream, text.substr(end), *std::move(opening)};
  }
  return std::nullopt;
}

// True if some data with backslashes is complete as it is, and none is complete after its escapes are read.
// Then the backslashes are not escapes.
bool is_without_escapes(std::string_view stream) {
  bool any = false;
  for (const std::string_view line : lines_of(stream)) {
    if (line.find('\\') == line.npos || !has_data(line)) continue;
    const auto read = unescaped(line);
    if (!ends_in_whole_line(line) || (read && has_data(*read) && ends_in_whole_line(*read))) return false;
    any = true;
  }
  return any || stream.find('\\') == stream.npos;
}

}  // namespace

Found enclosed_text(const CapturedFile& file) {
  const auto found = find_enclosed(file.text);
  if (!found) return std::nullopt;
  const Opening& opening = found->opening;
  if (found->rest.empty())
    return file.refuse("is " + opening.what + " that breaks off: the capture is cut", kSaveStreamAlone);
  const std::vector<std::string_view> others = lines_of(found->rest);
  if (std::any_of(others.begin(), others.end(), has_data) || find_enclosed(found->rest))
    return file.refuse("has several event streams, in strings and sections",
                       "save one stream as a file of its own");
  if (opening.has_escapes && !is_without_escapes(found->stream))
    return file.refuse("is " + opening.what + ", and its backslashes may be escapes",
                       "let the program print the string to a file");
  return file.take_text(std::string(found->stream), opening.what);
}

}  // namespace splitproof::recording
