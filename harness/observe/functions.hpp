#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/observe/name_map.hpp"

namespace splitproof::observe {

struct AskedRequest;

/// A function that a client declares, with the facts that calls in text depend on.
struct DeclaredFunction {
  std::map<std::string, std::string> types;  ///< One-word types of its properties, by the property's key.

  bool operator==(const DeclaredFunction&) const = default;
};

/// Declared functions by name.
using DeclaredFunctions = std::map<std::string, DeclaredFunction>;

/// Returns the function with this JSON schema. null: nothing is known of its properties.
DeclaredFunction declared_function(const nlohmann::json* schema);

/// Returns the functions that a request offers, except custom and hosted tools, or none if it forbids calls.
/// If `renaming` renames them, they have the upstream's names.
DeclaredFunctions functions_of(const AskedRequest& asked, const Renaming& renaming = {});

}  // namespace splitproof::observe
