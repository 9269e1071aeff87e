#pragma once

#include <string>
#include <tl/expected.hpp>

#include "proxy/server/settings.hpp"

namespace splitproof::server {

/// Reads what a configuration file says into `settings`, which keep their values where it says nothing. docs/proxy.md
/// lists the keys. Strict: unknown and repeated keys and values of the wrong form are errors. An error reads
/// "FILE:LINE: WHAT".
tl::expected<ServerSettings, std::string> read_config(const std::string& file, ServerSettings settings);

/// The same from text; `file` names it in errors.
tl::expected<ServerSettings, std::string> parse_config(const std::string& text, const std::string& file,
                                                       ServerSettings settings);

}  // namespace splitproof::server
