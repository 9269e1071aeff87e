#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/framing.hpp"

namespace splitproof::split {

/// Why a cut hurts at some place. In the drawings `|` is a cut.
///
/// SSE lines are read as the WHATWG standard has them (LF, CRLF or CR ends a line; a blank line ends an
/// event). A kind from `structure` to `between_inner_surrogates` lies in the value of a `data` line that is
/// JSON. JSON lines end in LF or CRLF, and each is an event and such a value; they have no seams of fields, and a line of
/// white space counts as blank. The payload of a frame of an AWS event stream is such a value, too, and the end of a frame
/// that of an event; what stands behind a frame that cannot be read has no seams but those of bytes.
enum class SeamKind : std::uint8_t {
  // Bytes
  first_byte,  ///< after the first byte of the body
  bom,         ///< EF|BB|BF at the start of the body
  utf8_2,      ///< C3|A9: inside a valid sequence of two bytes
  utf8_3,      ///< E2|82|AC: inside one of three, a BOM at the start included
  utf8_4,      ///< F0|9F|98|80: inside one of four
  last_byte,   ///< before the last byte of the body

  // Line ends
  before_line_end,  ///< data: x|\n      the line end of a line that is not blank
  between_lines,    ///< event: x\n|data: y      neither line is blank
  cr_lf,            ///< \r|\n      any CRLF
  blank_line,       ///< data: x\n|\n  data: x\r\n|\r\n  data: x\r|\r      before the line end of a blank line
  blank_cr_lf,      ///< data: x\r\n\r|\n      inside the CRLF of a blank line: a CR alone is one too
  event_boundary,   ///< data: x\n\n|data: y      after a blank line; of JSON lines {}\n|{}

  // Lines
  field_name,    ///< d|a|t|a: x      a line without colon is a field name
  before_colon,  ///< data|: x
  after_colon,   ///< data:| x  data:|x
  after_space,   ///< data: |x      after the one optional space
  field_value,   ///< event: pi|ng  id: 1|2      the value of a field other than `data`
  comment,       ///< :| keep-al|ive
  done,          ///< data: [|D|O|N|E|]      inside the closing mark; spaces may follow

  // Frames of an AWS event stream
  prelude,        ///< 00|00|00|9A|00|00|00|55      inside the two lengths
  prelude_crc,    ///< |5B|51|12|BC      before its first byte, and inside
  header_name,    ///< |0B|:|e|v|e|n|t|-|t|y|p|e      before its length, behind that, and inside
  header_type,    ///< |07|      before and behind its one byte
  header_length,  ///< 00|15      inside the length of a value
  header_value,   ///< |a|b|c      before its first byte, and inside
  payload,        ///< |{"content":"x"}      before its first byte
  message_crc,    ///< |D5|9E|0F|2A      before its first byte, and inside

  // JSON
  structure,  ///< {|"a"|:|[|1|,|2|]|}      beside one of {}[]:, but not at either end of the line's value
  key,        ///< {"|a|b|":1}      between the quotes of a key
  string,     ///< {"a":"|b|c|"}      between the quotes of any other string
  number,     ///< -|1|.|5|e|3
  literal,    ///< t|r|u|e  f|a|l|s|e  n|u|l|l

  // Escapes in a JSON string (key or not)
  escape,              ///< \|n  \|"  \|\      two bytes
  unicode_escape,      ///< \|u|0|0|e|9      surrogates included
  surrogate_escape,    ///< \|u|d|8|3|d\|u|d|e|0|0      inside either surrogate of a pair
  between_surrogates,  ///< \ud83d|\ude00      between the surrogates of a pair

  // Escapes of a JSON text that is itself the value of a JSON string, as the arguments of a tool call are.
  // Such a text arrives in fragments, one a delta, so it cannot be parsed: what counts is that an escaped
  // backslash of the outer string is followed by what would make it an escape of the inner text. A path's
  // `\\new` counts as well.
  inner_escape,              ///< \|\|n  \|\|\|"  \|\|\|\      the inner \n and \" and \\ .
  inner_unicode_escape,      ///< \|\|u|0|0|e|9      the inner \u00e9
  between_inner_surrogates,  ///< \\ud83d|\\ude00      between the surrogates of an inner pair
};

inline constexpr std::size_t kSeamKinds = static_cast<std::size_t>(SeamKind::between_inner_surrogates) + 1;

/// The kind's name in labels and reports: "utf8-2", "blank-cr-lf", "between-surrogates".
std::string_view name(SeamKind kind);

/// The kind of that name; none where no kind is called so.
std::optional<SeamKind> seam_kind(std::string_view name);

/// A place in a body where a cut is likely to hurt: before the byte at `offset`.
struct Seam {
  SeamKind kind;
  std::size_t offset;  ///< 1 .. size of the body - 1

  bool operator==(const Seam&) const = default;
};

/// All seams of a body, by offset and then kind, none twice; one offset may be of several kinds. Takes
/// any bytes: invalid UTF-8, broken JSON and cut off tokens give fewer seams (a JSON text none after its
/// first broken token, until the event ends). Costs one pass over the bytes for UTF-8, one for lines and
/// JSON, and 8 bytes of memory a byte.
std::vector<Seam> find_seams(std::string_view body, const BodyFormat& format);

/// Behind so many bytes of a body, find_seams gives the ends of events and the last byte alone: a long body is much the same all
/// along, and each of its bytes may be a seam.
inline constexpr std::size_t kMostSurveyed = std::size_t{1} << 20;

}  // namespace splitproof::split
