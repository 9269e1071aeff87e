#pragma once

#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect {

/// Whether the chunk, one of its choices, deltas, calls or functions has a key beyond those that OpenAI
/// documents and those that docs/provider-quirks.md gives a meaning.
bool has_unknown_keys(const observe::WireJson& chunk);

/// Whether a delta, or a member of a delta, of a call or of a function, is null.
bool has_null_fields(const observe::WireJson& chunk);

}  // namespace splitproof::dialect
