#pragma once

#include <string>
#include <string_view>

#include "proxy/request/asked.hpp"

namespace splitproof::request {

/// What an assistant said, without calls and results that it wrote as text, without all that stands behind a call
/// that never ends, and without lines that narrate a call. In UTF-8.
std::string without_written_calls(std::string_view text);

/// Cleans what the client says that the assistant said, so that no model learns from it to write its calls as text.
/// White space around what is left of a turn goes, prose that nothing is taken of stays as it is, and so do calls and
/// results. A turn that is empty then, or says no more than a full stop, is left out.
void clean_history(Asked& asked);

}  // namespace splitproof::request
