#pragma once

#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// True if the chunk, or one of its choices, deltas, calls or functions, has an unknown key. OpenAI's
/// documents and contracts/specifications/provider-quirks.md list the known keys.
bool has_unknown_keys(const observe::WireJson& chunk);

/// True if a delta is null, or a member of a delta, of a call or of a function.
bool has_null_fields(const observe::WireJson& chunk);

}  // namespace splitproof::dialect
