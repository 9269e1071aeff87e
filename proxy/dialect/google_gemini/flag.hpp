#pragma once

#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// True for JSON's `true` only.
inline bool is_true(const wire::Json& value) {
  return value.is(wire::JsonKind::boolean) && value.raw() == "true";
}

}  // namespace splitproof::proxy::dialect
