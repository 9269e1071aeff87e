#pragma once

#include <cstddef>
#include <string>

#include "proxy/dialect/told_item.hpp"

namespace splitproof::proxy::dialect {

/// Puts items in place of the references to them (`item_reference`) in the input of a request. A reference that `find` does
/// not know stays, and so does a body that is no JSON, or deeper than `depth`.
std::string resolve_references(const std::string& body, std::size_t depth, const FindToldItem& find);

}  // namespace splitproof::proxy::dialect
