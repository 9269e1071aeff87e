#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "harness/strict_json.hpp"

namespace splitproof::observe {

/// Maximum nesting of arrays and objects in a provider's event.
inline constexpr std::size_t kMaxWireDepth = 128;

/// A JSON value as a provider wrote it: its meaning and its bytes.
///
/// Strings are WTF-8: UTF-8 in which an escaped lone surrogate becomes the three bytes of its code point.
/// SurrogateJoiner makes text of them.
struct WireJson {
  enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

  Kind kind = Kind::null;
  std::string_view raw;            ///< Its bytes in the text; empty for an absent value.
  std::string key;                 ///< Members only: its name.
  std::string text;                ///< Strings only: its text.
  std::vector<WireJson> children;  ///< Arrays and objects only, in the written order.

  /// Returns the member `name`, or an absent value. If there are several, returns the last, as most parsers
  /// do.
  const WireJson& at(std::string_view name) const;

  /// Returns the text of a string, or "" for other values.
  std::string_view string() const { return text; }

  bool absent() const { return raw.empty(); }
  bool is(Kind which) const { return kind == which && !absent(); }
};

/// Reads `text`, which is UTF-8, as one JSON value with optional white space around it. Accepts the whole
/// grammar of RFC 8259, including lone surrogates and numbers beyond a double. The values point into `text`,
/// which must outlive them. Linear in the text.
tl::expected<WireJson, JsonFault> parse_wire_json(std::string_view text);

/// Returns `text`, WTF-8, as a JSON string. Lone surrogates become U+FFFD.
std::string json_string(std::string_view text);

/// Returns the value as JSON without white space and with one spelling of strings. Numbers stay as written.
std::string compact(const WireJson& value);

}  // namespace splitproof::observe
