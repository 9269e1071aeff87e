#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "harness/strict_json.hpp"

namespace splitproof::observe {

/// Arrays and objects of a provider's event may nest this deep.
inline constexpr std::size_t kMaxWireDepth = 128;

/// A JSON value as a provider wrote it: what it says, and the bytes it was written in.
///
/// Strings are WTF-8: UTF-8 in which the escape of a lone surrogate is the three bytes
/// that its code point would have. SurrogateJoiner makes text of them.
struct WireJson {
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

  Kind kind = Kind::null;
  std::string_view raw;            ///< its bytes in the text that was read; empty of an absent value
  std::string key;                 ///< of a member, its name
  std::string text;                ///< of a string, what it says
  std::vector<WireJson> children;  ///< of an array or object, as written

  /// The member `name`, of several the last, as most parsers do; an absent value where there is none.
  const WireJson& at(std::string_view name) const;

  /// What a string says, if it is one; else nothing.
  std::string_view string() const { return text; }

  bool absent() const { return raw.empty(); }
  bool is(Kind which) const { return kind == which && !absent(); }
};

/// Reads `text`, which is UTF-8, as one JSON value, with nothing but white space around it: all that the grammar
/// of RFC 8259 has, so also lone surrogates and numbers that no double holds. The values look into
/// `text`, which must outlive them. Linear in the text.
tl::expected<WireJson, JsonFault> parse_wire_json(std::string_view text);

/// `text`, WTF-8, as a JSON string; halves that stand alone as U+FFFD.
std::string json_string(std::string_view text);

/// The value as JSON without white space, and its strings in one way of writing them. Numbers stay as they were written.
std::string compact(const WireJson& value);

}  // namespace splitproof::observe
