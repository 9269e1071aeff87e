#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "harness/recording/base64.hpp"
#include "harness/recording/stream_lines.hpp"
#include "harness/recording/wrappers.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::recording {
namespace {

struct Encoding {
  std::string_view what;
  std::string_view undo;                    // effect of the command
  std::string_view command;                 // without the file name; writes standard output
  std::string (*decode)(std::string_view);  // accepts every text
};

using Replacement = std::pair<std::string_view, std::string_view>;

template <std::size_t N>
std::string replace(std::string_view text, const std::array<Replacement, N>& all) {
  std::string made;
  while (!text.empty()) {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Replacement& one) { return text.starts_with(one.first); });
    made += found == all.end() ? text.substr(0, 1) : found->second;
    text.remove_prefix(found == all.end() ? 1 : found->first.size());
  }
  return made;
}

std::string decode_html(std::string_view text) {
  static constexpr std::array<Replacement, 12> kEscapes = {{{"&quot;", "\""},
                                                            {"&#34;", "\""},
                                                            {"&#034;", "\""},
                                                            {"&#x22;", "\""},
                                                            {"&apos;", "'"},
                                                            {"&#39;", "'"},
                                                            {"&#039;", "'"},
                                                            {"&#x27;", "'"},
                                                            {"&lt;", "<"},
                                                            {"&gt;", ">"},
                                                            {"&amp;", "&"},
                                                            {"&nbsp;", " "}}};
  return replace(text, kEscapes);
}

std::string decode_quotes(std::string_view text) {
  static constexpr std::array<Replacement, 3> kQuotes = {
      {{"\u201C", "\""}, {"\u201D", "\""}, {"\u201E", "\""}}};
  return replace(text, kQuotes);
}

std::string decode_spaces(std::string_view text) {
  static constexpr std::array<Replacement, 2> kSpaces = {{{"\u00A0", " "}, {"\u202F", " "}}};
  return replace(text, kSpaces);
}

// Reads two hexadecimal digits at `at`, or returns nullopt.
std::optional<char> byte_at(std::string_view text, std::size_t at) {
  unsigned value = 0;
  if (at + 2 > text.size()) return std::nullopt;
  const auto [end, failed] = std::from_chars(text.data() + at, text.data() + at + 2, value, 16);
  if (failed != std::errc() || end != text.data() + at + 2) return std::nullopt;
  return static_cast<char>(value);
}

// Decodes bytes written as `mark` and two hexadecimal digits.
std::string decode_marked(std::string_view text, char mark) {
  std::string made;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = text[at] == mark ? byte_at(text, at + 1) : std::nullopt;
    made += byte.value_or(text[at]);
    at += byte ? 2 : 0;
  }
  return made;
}

std::string decode_percent(std::string_view text) { return decode_marked(text, '%'); }

std::string decode_quoted_printable(std::string_view text) {
  static constexpr std::array<Replacement, 2> kSoftEnds = {{{"=\r\n", ""}, {"=\n", ""}}};
  return decode_marked(replace(text, kSoftEnds), '=');
}

std::string decode_colours(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    const std::size_t end = text.starts_with("\x1b[") ? text.find_first_not_of("0123456789;", 2) : text.npos;
    if (end == text.npos) made += text.front();
    text.remove_prefix(end == text.npos ? 1 : end + 1);
  }
  return made;
}

std::string decode_hexadecimal(std::string_view text) {
  std::string made;
  while (const auto byte = byte_at(text, 0)) {
    made += *byte;
    text.remove_prefix(std::min(text.find_first_not_of(" \r\n", 2), text.size()));
  }
  return made;
}

// Decodes a data URI: data:MEDIA/TYPE;PARAMETER,DATA.
std::string decode_uri(std::string_view text) {
  const std::size_t comma = text.find(',');
  const std::string_view type = text.substr(0, comma);
  if (!type.starts_with("data:") || comma == text.npos || type.find_first_of(" {\n") != type.npos) return {};
  text.remove_prefix(comma + 1);
  if (!type.ends_with(";base64")) return decode_percent(text);
  text = text.substr(0, text.find_last_not_of(" \r\n") + 1);
  return from_base64(text.substr(0, text.size() / 4 * 4)).value_or("");
}

// Reads each line of data as a line of a stream.
std::string decode_nested(std::string_view text) {
  std::string made;
  for (std::string_view line : lines_of(text)) {
    if (is_blank(line)) continue;
    if (!has_data(line)) return {};
    line.remove_prefix(line.substr(5).starts_with(' ') ? 6 : 5);
    made.append(line) += has_data(line) ? "\n\n" : "\n";
  }
  return made;
}

constexpr std::array<Encoding, 9> kEncodings = {{
    {"is an event stream with HTML escapes in place of its quotes", "decode them",
     "python3 -c 'import html, sys; sys.stdout.write(html.unescape(open(sys.argv[1], newline=\"\").read()))'",
     decode_html},
    {"is an event stream with typographic quotes, which JSON does not allow", "replace them",
     "sed 's/\u201C/\"/g; s/\u201D/\"/g; s/\u201E/\"/g'", decode_quotes},
    {"is an event stream with non-breaking spaces in place of spaces", "replace them",
     "sed 's/\\xC2\\xA0/ /g; s/\\xE2\\x80\\xAF/ /g'", decode_spaces},
    {"is an event stream in quoted-printable, like a mail", "decode it", "python3 -m quopri -d",
     decode_quoted_printable},
    {"is a data URI", "decode it",
     "python3 -c 'import sys, urllib.request; "
     "sys.stdout.buffer.write(urllib.request.urlopen(open(sys.argv[1]).read().strip()).read())'",
     decode_uri},
    {"is an event stream with percent-encoding", "decode it",
     "python3 -c 'import sys, urllib.parse; "
     "sys.stdout.write(urllib.parse.unquote(open(sys.argv[1], newline=\"\").read()))'",
     decode_percent},
    {"is an event stream with the colours of a terminal", "remove them", "sed 's/\\x1b\\[[0-9;]*[A-Za-z]//g'",
     decode_colours},
    {"is hexadecimal", "decode it",
     "python3 -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(open(sys.argv[1]).read()))'",
     decode_hexadecimal},
    {"has every line of an event stream inside another data line, so no client can read it",
     "if a proxy sent this, the proxy has a bug; to judge the inner stream",
     "sed -n 's/^data: *//; /^event:/p; /^data:/{p;s/.*//p}'", decode_nested},
}};

struct Readability {
  std::size_t objects = 0;   // lines of data with an object
  std::size_t readable = 0;  // lines whose object is JSON
};

Readability readability_of(std::string_view text) {
  Readability found;
  for (std::string_view line : lines_of(text)) {
    if (!has_data(line)) continue;
    line.remove_prefix(std::min(line.find_first_not_of(' ', 5), line.size()));
    if (!line.starts_with('{')) continue;
    ++found.objects;
    found.readable += parse_strict_json(line) ? 1 : 0;
  }
  return found;
}

}  // namespace

std::optional<Error> refuse_encoded(const std::string& file, std::string_view text) {
  constexpr std::size_t kLooked = std::size_t{1} << 16;
  text = text.substr(0, kLooked);
  if (text.starts_with("\u00EF\u00BB\u00BF")) {
    return Error{"begins with a byte order mark that was decoded as Windows-1252", file, 0,
                 "reverse the decoding: iconv -f UTF-8 -t CP1252 " + file + " > stream.sse"};
  }
  const Readability before = readability_of(text);
  // A stream may contain broken lines, encoded or not.
  if (before.readable > 0 && 2 * before.readable >= before.objects) return std::nullopt;
  for (const Encoding& encoding : kEncodings) {
    const std::string decoded = encoding.decode(text);
    const Readability now = readability_of(decoded);
    if (!begins_stream(decoded) || 2 * now.readable < now.objects || now.readable <= before.readable)
      continue;
    return Error{
        std::string(encoding.what), file, 0,
        std::string(encoding.undo) + ": " + std::string(encoding.command) + " " + file + " > stream.sse"};
  }
  return std::nullopt;
}

}  // namespace splitproof::recording
