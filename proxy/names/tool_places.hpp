#pragma once

#include <vector>

#include "proxy/wire/json.hpp"

namespace splitproof::names {

/// The names of tools in a JSON text, as the values there. Names are strings.
struct ToolPlaces {
  struct Declared {
    wire::Json name;
    wire::Json schema;  ///< of its arguments
    bool function;      ///< see DeclaredTool
  };

  struct Called {
    wire::Json name;
    wire::Json arguments;  ///< an object, or nothing
  };

  std::vector<Declared> declared;
  std::vector<Called> called;
  std::vector<wire::Json> chosen;  ///< names of tools that have to be called
};

/// Finds them in a text of one protocol.
using FindPlaces = ToolPlaces (*)(const wire::Json& text);

}  // namespace splitproof::names
