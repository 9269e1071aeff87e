#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace splitproof {

/// Arrays and objects may nest this deep. Copying, dumping and destroying a tree all recurse, so depth must
/// end somewhere before the stack does; no provider comes near.
inline constexpr std::size_t kMaxJsonDepth = 512;

/// Why a text is not JSON, and where reading it failed.
struct JsonFault {
  std::size_t at = 0;           ///< byte offset in the text; its size when the text ends too early
  std::string reason;           ///< one clause without a full stop
  bool lone_surrogate = false;  ///< nothing is wrong up to `at` but a lone surrogate, which RFC 8259 allows
};

/// Reads `text` as one JSON value (RFC 8259), with nothing but white space around it. Refused, beyond broken
/// syntax: a byte order mark, nesting deeper than kMaxJsonDepth, numbers outside the range of a double, and
/// escapes of lone surrogates, which no UTF-8 string can hold (RFC 7493, 2.1). Linear in the text;
/// never recurses.
tl::expected<std::shared_ptr<const nlohmann::json>, JsonFault> parse_strict_json(std::string_view text);

}  // namespace splitproof
