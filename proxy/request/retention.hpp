#pragma once

#include <string>
#include <string_view>

#include "proxy/request/asked.hpp"

namespace splitproof::request {

/// Returns an assistant's text without written calls and results, without everything after an unclosed call, and
/// without lines that narrate a call. In UTF-8.
std::string without_written_calls(std::string_view text);

/// Cleans the assistant's earlier turns, so that no model learns from them to write calls as text. Trims changed turns.
/// Unchanged prose, calls and results stay. Drops turns that are empty or only a full stop.
void clean_history(Asked& asked);

}  // namespace splitproof::request
