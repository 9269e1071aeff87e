#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "proxy/turn/event.hpp"

namespace splitproof::dialect {

/// The error that a Chat Completions chunk reports, if it does: an `error` member (object or text), or, where
/// a chunk has no choices, the whole object being an error (`"object":"error"`, `"type":"error"`, a `code` with
/// a `message`, or `named_error`: it came under `event: error`). The kind follows its HTTP status, code or type.
/// `chunk` may be a choice too.
std::optional<turn::Failure> find_failure(const nlohmann::json& chunk, bool named_error);

}  // namespace splitproof::dialect
