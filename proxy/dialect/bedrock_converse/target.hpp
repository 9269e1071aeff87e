#pragma once

#include <optional>
#include <string_view>

#include "proxy/request/target.hpp"

namespace splitproof::proxy::dialect {

/// True for paths that only clients of Bedrock use: all of /model.
bool is_converse_path(std::string_view path);

/// Reads the target of a request for an answer: `/model/MODEL/converse` or `/model/MODEL/converse-stream`. Returns
/// nothing for other targets.
std::optional<request::Target> read_converse_target(std::string_view path, std::string_view query);

}  // namespace splitproof::proxy::dialect
