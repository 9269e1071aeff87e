#include "harness/split/seam.hpp"

#include <algorithm>
#include <array>

#include "harness/aws_frame.hpp"
#include "harness/line_end.hpp"
#include "harness/split/json_seams.hpp"
#include "harness/split/seam_board.hpp"

namespace splitproof::split {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, kSeamKinds> kNames = {
    "first-byte",
    "bom",
    "utf8-2",
    "utf8-3",
    "utf8-4",
    "last-byte",
    "before-line-end",
    "between-lines",
    "cr-lf",
    "blank-line",
    "blank-cr-lf",
    "event-boundary",
    "field-name",
    "before-colon",
    "after-colon",
    "after-space",
    "field-value",
    "comment",
    "done",
    "prelude",
    "prelude-crc",
    "header-name",
    "header-type",
    "header-length",
    "header-value",
    "payload",
    "message-crc",
    "structure",
    "key",
    "string",
    "number",
    "literal",
    "escape",
    "unicode-escape",
    "surrogate-escape",
    "between-surrogates",
    "inner-escape",
    "inner-unicode-escape",
    "between-inner-surrogates",
};

constexpr std::string_view kBom = "\xEF\xBB\xBF";

/// Returns the length of the well-formed UTF-8 sequence (Unicode, table 3-7) at `body[at]`; 1 for ASCII and
/// any other byte.
std::size_t utf8_length(std::string_view body, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(body[at + i]); };
  const unsigned char lead = byte(0);
  std::size_t length = 1;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;  // bounds of the second byte
  if (lead >= 0xC2 && lead <= 0xDF) length = 2;
  if (lead >= 0xE0 && lead <= 0xEF) length = 3;
  if (lead >= 0xF0 && lead <= 0xF4) length = 4;
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  if (at + length > body.size()) return 1;
  for (std::size_t i = 1; i < length; ++i) {
    if (byte(i) < low || byte(i) > high) return 1;
    low = 0x80;
    high = 0xBF;
  }
  return length;
}

void mark_utf8(std::string_view body, SeamBoard& board) {
  constexpr std::array kKinds = {SeamKind::utf8_2, SeamKind::utf8_3, SeamKind::utf8_4};
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t length = utf8_length(body, at);
    if (length > 1) board.mark_inside(kKinds[length - 2], at, at + length);
    at += length;
  }
}

/// One line of a body: [begin, content_end) its bytes, [content_end, end) its line end.
struct SeamLine {
  std::size_t begin;
  std::size_t content_end;
  std::size_t end;  ///< Equals content_end if the body ends without a line end.

  bool blank() const { return begin == content_end; }
  bool crlf() const { return end - content_end == 2; }
};

SeamLine line_at(std::string_view body, std::size_t begin) {
  const std::size_t content_end = find_line_end(body, begin);
  if (content_end == body.size()) return {begin, content_end, content_end};
  const bool crlf = body.substr(content_end).starts_with("\r\n");
  return {begin, content_end, content_end + (crlf ? 2 : 1)};
}

void mark_line_ends(const SeamLine& line, const SeamLine* previous, SeamBoard& board) {
  const bool ended = line.end > line.content_end;
  if (line.crlf()) board.mark(SeamKind::cr_lf, line.content_end + 1);
  if (line.blank()) {
    if (previous != nullptr) board.mark(SeamKind::blank_line, line.begin);
    if (line.crlf()) board.mark(SeamKind::blank_cr_lf, line.content_end + 1);
    board.mark(SeamKind::event_boundary, line.end);
    return;
  }
  if (ended) board.mark(SeamKind::before_line_end, line.content_end);
  if (previous != nullptr && !previous->blank()) board.mark(SeamKind::between_lines, line.begin);
}

/// True if a value is the closing mark. Some servers send a space after it.
bool is_mark(std::string_view value, std::string_view mark) {
  return !mark.empty() && value.starts_with(mark) &&
         value.find_first_not_of(" \t", mark.size()) == std::string_view::npos;
}

/// Marks the seams inside a non-blank line. `json` is the tokenizer of its event.
void mark_line(std::string_view body, const SeamLine& line, std::string_view closing_mark, JsonSeams& json,
               SeamBoard& board) {
  if (body[line.begin] == ':') {
    board.mark_inside(SeamKind::comment, line.begin, line.content_end);
    return;
  }
  const std::string_view content = body.substr(line.begin, line.content_end - line.begin);
  const std::string_view field = content.substr(0, content.find(':'));
  const std::size_t colon = line.begin + field.size();
  board.mark_inside(SeamKind::field_name, line.begin, colon);
  if (colon == line.content_end) return;
  board.mark(SeamKind::before_colon, colon);
  std::size_t value = colon + 1;
  board.mark(SeamKind::after_colon, value);
  if (value < line.content_end && body[value] == ' ') board.mark(SeamKind::after_space, ++value);

  if (field != "data") {
    board.mark_inside(SeamKind::field_value, value, line.content_end);
  } else if (is_mark(body.substr(value, line.content_end - value), closing_mark)) {
    board.mark_inside(SeamKind::done, value, value + closing_mark.size());
  } else {
    json.scan_line(body, value, line.content_end, board);
  }
}

void mark_events(std::string_view body, std::size_t begin, std::string_view closing_mark, SeamBoard& board) {
  JsonSeams json;
  std::optional<SeamLine> previous;
  while (begin < body.size()) {
    const SeamLine line = line_at(body, begin);
    mark_line_ends(line, previous ? &*previous : nullptr, board);
    if (line.blank()) {
      json = {};
    } else if (!board.only_events()) {
      mark_line(body, line, closing_mark, json, board);
    }
    previous = line;
    begin = line.end;
  }
}

void mark_json_lines(std::string_view body, std::size_t begin, SeamBoard& board) {
  for (std::size_t end = begin; begin < body.size(); begin = end) {
    const std::size_t newline = body.find('\n', begin);
    end = newline == body.npos ? body.size() : newline + 1;
    const bool crlf = newline != body.npos && newline > begin && body[newline - 1] == '\r';
    const std::size_t content_end = std::min(newline, body.size()) - (crlf ? 1 : 0);
    if (crlf) board.mark(SeamKind::cr_lf, newline);
    const std::string_view content = body.substr(begin, content_end - begin);
    if (content.find_first_not_of(" \t\r") == content.npos) {
      board.mark(SeamKind::blank_line, content_end);
      if (crlf) board.mark(SeamKind::blank_cr_lf, newline);
      continue;
    }
    if (newline != body.npos) {
      board.mark(SeamKind::before_line_end, content_end);
      board.mark(SeamKind::event_boundary, end);
    }
    if (!board.only_events()) JsonSeams().scan_line(body, begin, content_end, board);
  }
}

/// Marks the ends of the elements of an array, which begins at or after `begin`.
void mark_elements(std::string_view body, std::size_t begin, SeamBoard& board) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t at = begin; at < body.size(); ++at) {
    const char byte = body[at];
    if (in_string && byte == '\\') ++at;
    if (byte == '"') in_string = !in_string;
    if (in_string) continue;
    if (byte == '{' || byte == '[') ++depth;
    if (byte != '}' && byte != ']') continue;
    if (depth > 0) --depth;
    if (depth == 1) board.mark(SeamKind::event_boundary, at + 1);
  }
}

void mark_array(std::string_view body, std::size_t begin, SeamBoard& board) {
  mark_elements(body, begin, board);
  if (board.only_events()) return;
  JsonSeams json;
  for (std::size_t end = begin; begin < body.size(); begin = end) {
    const SeamLine line = line_at(body, begin);
    end = line.end;
    if (line.crlf()) board.mark(SeamKind::cr_lf, line.content_end + 1);
    if (!line.blank() && line.end > line.content_end) board.mark(SeamKind::before_line_end, line.content_end);
    json.scan_line(body, line.begin, line.content_end, board);
  }
}

/// Marks every offset in [begin, end): before each byte.
void mark_bytes(SeamKind kind, std::size_t begin, std::size_t end, SeamBoard& board) {
  for (std::size_t offset = begin; offset < end; ++offset) board.mark(kind, offset);
}

void mark_frames(std::string_view body, SeamBoard& board) {
  for (std::size_t begin = 0, end = 0; begin < body.size(); begin = end) {
    const std::size_t size = read_aws_prelude(body.substr(begin)).size;
    if (size == 0 || size > body.size() - begin) return;
    const ReadAwsFrame read = read_aws_frame(body.substr(begin, size));
    if (!read.fault.empty()) return;
    end = begin + size;
    board.mark(SeamKind::event_boundary, end);
    if (board.only_events()) continue;
    board.mark_inside(SeamKind::prelude, begin, begin + kAwsPreludeCrc);
    mark_bytes(SeamKind::prelude_crc, begin + kAwsPreludeCrc, begin + kAwsPrelude, board);
    for (const AwsHeaderPlace& place : read.frame.places) {
      const std::size_t type = begin + place.behind_type - 1;
      mark_bytes(SeamKind::header_name, begin + place.begin, type, board);
      mark_bytes(SeamKind::header_type, type, type + 2, board);
      board.mark_inside(SeamKind::header_length, begin + place.behind_type, begin + place.value);
      mark_bytes(SeamKind::header_value, begin + place.value, begin + place.end, board);
    }
    const std::size_t payload = begin + read.frame.payload_begin;
    const std::size_t crc = end - kAwsCrc;
    if (payload < crc) board.mark(SeamKind::payload, payload);
    JsonSeams().scan_line(body, payload, crc, board);
    mark_bytes(SeamKind::message_crc, crc, end, board);
  }
}

// Marks the seams of the body's framing and of the JSON in it.
void mark_format(std::string_view body, const BodyFormat& format, SeamBoard& board) {
  std::size_t begin = 0;
  if (format.framing != Framing::aws_frames && body.starts_with(kBom)) {
    board.mark_inside(SeamKind::bom, 0, kBom.size());
    begin = kBom.size();
  }
  switch (framing_of(format.framing, body)) {
    case Framing::sse:
    case Framing::sse_or_array:
      mark_events(body, begin, format.closing_mark, board);
      break;
    case Framing::json_lines:
      mark_json_lines(body, begin, board);
      break;
    case Framing::aws_frames:
      mark_frames(body, board);
      break;
    case Framing::json_array:
      mark_array(body, begin, board);
      break;
  }
}

}  // namespace

std::string_view name(SeamKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<SeamKind> seam_kind(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<SeamKind>(found - kNames.begin());
}

std::vector<Seam> find_seams(std::string_view body, const BodyFormat& format) {
  SeamBoard board(body.size());
  if (body.size() > 1) {
    board.mark(SeamKind::first_byte, 1);
    board.mark(SeamKind::last_byte, body.size() - 1);
  }
  mark_utf8(body, board);
  mark_format(body, format, board);
  return board.seams();
}

std::vector<Seam> find_event_boundaries(std::string_view body, const BodyFormat& format) {
  SeamBoard board(body.size(), true);
  mark_format(body, format, board);
  std::vector<Seam> seams = board.seams();
  std::erase_if(seams, [](const Seam& seam) { return seam.kind != SeamKind::event_boundary; });
  return seams;
}

}  // namespace splitproof::split
