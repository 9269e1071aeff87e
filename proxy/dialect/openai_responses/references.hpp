#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "proxy/dialect/told_item.hpp"

namespace splitproof::proxy::dialect {

/// Returns the body of a request with items in place of their references (`item_reference`) in its input. Returns
/// nothing if `find` knows no reference, or if the body is not JSON of at most `depth` levels.
std::optional<std::string> resolve_references(const std::string& body, std::size_t depth,
                                              const FindToldItem& find);

}  // namespace splitproof::proxy::dialect
