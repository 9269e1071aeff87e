#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace splitproof {

/// Maximum nesting of arrays and objects. Copying, dumping and destroying a tree recurse, so the depth must
/// fit the stack. No provider comes close.
inline constexpr std::size_t kMaxJsonDepth = 512;

/// Reason why a text is not JSON, and the place of the failure.
struct JsonFault {
  std::size_t at = 0;           ///< Byte offset in the text; its size if the text ends too early.
  std::string reason;           ///< One clause without a full stop.
  bool lone_surrogate = false;  ///< The only fault up to `at` is a lone surrogate, which RFC 8259 allows.
};

/// Reads `text` as one JSON value (RFC 8259) with optional white space around it. Also rejects a byte order
/// mark, nesting deeper than kMaxJsonDepth, numbers outside the range of a double, and escapes of lone
/// surrogates. No UTF-8 string can hold the latter (RFC 7493, 2.1). Linear in the text; never recurses.
tl::expected<std::shared_ptr<const nlohmann::json>, JsonFault> parse_strict_json(std::string_view text);

}  // namespace splitproof
