#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace splitproof::report {

/// What is wrong with a SARIF log, by the schema of SARIF 2.1.0, a line each that begins with the place: members that are
/// missing, of another type, unknown to their object, out of their bounds or not unique; URIs that are none; and, beyond the
/// schema, results whose rule is not the one at their index. The table knows the members that this project writes, so that
/// another one has to be added from the schema first.
std::vector<std::string> wrong_in_sarif(const nlohmann::json& log);

}  // namespace splitproof::report
