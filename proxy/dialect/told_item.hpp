#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace splitproof::proxy::dialect {

/// An item of an answer, for a later request that refers to it.
struct ToldItem {
  std::string id;
  std::string json;  ///< whole, as a request may hold it
};

/// The JSON of an item that was told under an id; empty: it is not known.
using FindToldItem = std::function<std::string(std::string_view id)>;

}  // namespace splitproof::proxy::dialect
