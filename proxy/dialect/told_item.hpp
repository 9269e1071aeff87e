#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace splitproof::proxy::dialect {

/// An item of an answer, for a later request that refers to it.
struct ToldItem {
  std::string id;
  std::string json;  ///< complete, in the form of a request
};

/// Returns the JSON of an item by its id; empty if it is unknown.
using FindToldItem = std::function<std::string(std::string_view id)>;

}  // namespace splitproof::proxy::dialect
