#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace splitproof::report {

/// Returns the faults of a SARIF log by the schema of SARIF 2.1.0, one line each, beginning with the place: members
/// that are missing, of another type, unknown, out of bounds or not unique, and invalid URIs. Beyond the schema, it
/// checks that a result's rule is the one at its index. The table has the members that this project writes. New ones
/// have to be added from the schema first.
std::vector<std::string> wrong_in_sarif(const nlohmann::json& log);

}  // namespace splitproof::report
