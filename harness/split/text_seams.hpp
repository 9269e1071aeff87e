#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace splitproof::split {

/// Reason why a cut in decoded text is risky. In the drawings `|` is a cut.
enum class TextSeam : std::uint8_t {
  markup,   ///< <|t|h|i|n|k|>      inside `<` .. `>` that begins like a tag, up to 64 units long
  space,    ///< two|  |words      before and after white space
  word,     ///< wo|rd      in the middle of a run of letters and digits
  halves,   ///< between the two surrogates of a character above U+FFFF
  cluster,  ///< e|U+0301      before a combining mark, and around a joiner
  // Arguments as JSON
  json_structure,  ///< {|"a"|:|1|}      next to one of {}[]:,
  json_key,        ///< {"|a|b|":1}
  json_number,     ///< -|1|.|5
  json_literal,    ///< t|r|u|e
  json_escape,     ///< \|n  \|u|0|0|e|9
  json_pair,       ///< \ud83d|\ude00
};

inline constexpr std::size_t kTextSeams = static_cast<std::size_t>(TextSeam::json_pair) + 1;

/// Returns the kind's name in labels: "markup", "json-key".
std::string_view name(TextSeam kind);

/// Returns the kind with this name, or nullopt.
std::optional<TextSeam> text_seam(std::string_view name);

/// True for kinds of JSON text.
inline bool is_of_json(TextSeam kind) { return kind >= TextSeam::json_structure; }

/// Returns all seams of a kind: offsets into `text` in UTF-16 units, ascending, neither 0 nor its size. For
/// kinds of JSON, `text` is the beginning of a call's arguments. Malformed text gives fewer seams.
std::vector<std::size_t> find_text_seams(TextSeam kind, std::u16string_view text);

}  // namespace splitproof::split
