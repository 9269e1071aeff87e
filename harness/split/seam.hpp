#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/framing.hpp"

namespace splitproof::split {

/// Reason why a cut at a place is risky. In the drawings `|` is a cut.
///
/// SSE lines follow the WHATWG standard: LF, CRLF or CR ends a line, and a blank line ends an event. Kinds
/// from `structure` to `between_inner_surrogates` occur in JSON values of `data` lines. JSON lines end in LF
/// or CRLF. Each line is an event and such a value, without seams of fields; a line of white space is blank.
/// The payload of an AWS frame is such a value, and the end of the frame is the end of an event. After an
/// unreadable frame only seams of bytes are marked. A JSON array is such a value, too. Its elements are events,
/// and its lines end as those of SSE, but no blank line has a meaning.
enum class SeamKind : std::uint8_t {
  // Bytes
  first_byte,  ///< after the first byte of the body
  bom,         ///< EF|BB|BF at the start of the body
  utf8_2,      ///< C3|A9: inside a valid sequence of two bytes
  utf8_3,      ///< E2|82|AC: inside three bytes, including a BOM at the start
  utf8_4,      ///< F0|9F|98|80: inside four bytes
  last_byte,   ///< before the last byte of the body

  // Line ends
  before_line_end,  ///< data: x|\n      before the line end of a non-blank line
  between_lines,    ///< event: x\n|data: y      between non-blank lines
  cr_lf,            ///< \r|\n      any CRLF
  blank_line,       ///< data: x\n|\n  data: x\r\n|\r\n  data: x\r|\r      before the line end of a blank line
  blank_cr_lf,      ///< data: x\r\n\r|\n      inside the CRLF of a blank line; a CR alone is one too
  event_boundary,   ///< data: x\n\n|data: y      after a blank line; JSON lines: {}\n|{}; array: [{}|,{}|]

  // Lines
  field_name,    ///< d|a|t|a: x      a line without colon is a field name
  before_colon,  ///< data|: x
  after_colon,   ///< data:| x  data:|x
  after_space,   ///< data: |x      after the optional space
  field_value,   ///< event: pi|ng  id: 1|2      the value of a field other than `data`
  comment,       ///< :| keep-al|ive
  done,          ///< data: [|D|O|N|E|]      inside the closing mark; spaces may follow

  // Frames of an AWS event stream
  prelude,        ///< 00|00|00|9A|00|00|00|55      inside the two lengths
  prelude_crc,    ///< |5B|51|12|BC      before its first byte, and inside
  header_name,    ///< |0B|:|e|v|e|n|t|-|t|y|p|e      around its length, and inside
  header_type,    ///< |07|      around its one byte
  header_length,  ///< 00|15      inside the length of a value
  header_value,   ///< |a|b|c      before its first byte, and inside
  payload,        ///< |{"content":"x"}      before its first byte
  message_crc,    ///< |D5|9E|0F|2A      before its first byte, and inside

  // JSON
  structure,  ///< {|"a"|:|[|1|,|2|]|}      next to one of {}[]:, but not at the ends of the value
  key,        ///< {"|a|b|":1}      between the quotes of a key
  string,     ///< {"a":"|b|c|"}      between the quotes of any other string
  number,     ///< -|1|.|5|e|3
  literal,    ///< t|r|u|e  f|a|l|s|e  n|u|l|l

  // Escapes in a JSON string (key or not)
  escape,              ///< \|n  \|"  \|\      two bytes
  unicode_escape,      ///< \|u|0|0|e|9      including surrogates
  surrogate_escape,    ///< \|u|d|8|3|d\|u|d|e|0|0      inside either surrogate of a pair
  between_surrogates,  ///< \ud83d|\ude00      between the surrogates of a pair

  // Escapes of a JSON text inside a JSON string, such as the arguments of a tool call. Such a text arrives in
  // fragments, so it cannot be parsed. A seam needs only an escaped backslash of the outer string and a
  // following escape of the inner text. A path's `\\new` counts as well.
  inner_escape,              ///< \|\|n  \|\|\|"  \|\|\|\      the inner \n and \" and \\ .
  inner_unicode_escape,      ///< \|\|u|0|0|e|9      the inner \u00e9
  between_inner_surrogates,  ///< \\ud83d|\\ude00      between the surrogates of an inner pair
};

inline constexpr std::size_t kSeamKinds = static_cast<std::size_t>(SeamKind::between_inner_surrogates) + 1;

/// Returns the kind's name in labels and reports: "utf8-2", "blank-cr-lf", "between-surrogates".
std::string_view name(SeamKind kind);

/// Returns the kind with this name, or nullopt.
std::optional<SeamKind> seam_kind(std::string_view name);

/// A risky place for a cut: before the byte at `offset`.
struct Seam {
  SeamKind kind;
  std::size_t offset;  ///< 1 .. size of the body - 1

  bool operator==(const Seam&) const = default;
};

/// Returns all seams of a body, by offset and then kind, without duplicates. One offset may have several
/// kinds. Takes any bytes: invalid UTF-8, broken JSON and truncated tokens give fewer seams. A broken token
/// ends the seams of its JSON text. Costs two passes over the bytes and 8 bytes of memory a byte.
std::vector<Seam> find_seams(std::string_view body, const BodyFormat& format);

/// Returns only the seams of kind event_boundary, several times faster.
std::vector<Seam> find_event_boundaries(std::string_view body, const BodyFormat& format);

/// Size limit in bytes. After it, find_seams returns only ends of events and the last byte. Long bodies are
/// uniform, and each byte may be a seam.
inline constexpr std::size_t kMostSurveyed = std::size_t{1} << 20;

}  // namespace splitproof::split
