#pragma once

#include "proxy/request/asked.hpp"

namespace splitproof::request {

/// Replaces tools, calls and results by words for an upstream without tools.
///
/// The tools, their schemas and the form of a call come after the system's texts. A short banner with the tools' names
/// comes before the user's last text. It is missing if the user's last turn begins with a result, because a model would
/// think that the conversation was cut off. In the history, each call becomes markup of the assistant. Each result
/// becomes text in a tag of the user. Results come first in their turn.
///
/// A result cannot end its tag or begin a call. If no tool may be called, only the history changes.
void put_tools_into_words(Asked& asked);

}  // namespace splitproof::request
