#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/observe/name_map.hpp"

namespace splitproof::observe {

struct AskedRequest;

/// A function that a client declares, as far as calls in text depend on it.
struct DeclaredFunction {
  std::map<std::string, std::string>
      types;  ///< of its properties, those that are one word, by the property's key

  bool operator==(const DeclaredFunction&) const = default;
};

/// By name.
using DeclaredFunctions = std::map<std::string, DeclaredFunction>;

/// The function with that JSON schema; null: it says nothing of its properties.
DeclaredFunction declared_function(const nlohmann::json* schema);

/// The functions that a request offers, custom and hosted tools aside, and none where it forbids calls; as an upstream
/// knows them for which they are renamed.
DeclaredFunctions functions_of(const AskedRequest& asked, const Renaming& renaming = {});

}  // namespace splitproof::observe
