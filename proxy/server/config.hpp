#pragma once

#include <string>
#include <tl/expected.hpp>

#include "proxy/server/settings.hpp"

namespace splitproof::server {

/// Reads a configuration file into `settings`. Absent keys keep their values. docs/proxy.md lists the keys. Unknown
/// keys, repeated keys and values of the wrong form are errors. An error reads "FILE:LINE: WHAT".
tl::expected<ServerSettings, std::string> read_config(const std::string& file, ServerSettings settings);

/// Reads the same from text; `file` is its name in errors.
tl::expected<ServerSettings, std::string> parse_config(const std::string& text, const std::string& file,
                                                       ServerSettings settings);

}  // namespace splitproof::server
