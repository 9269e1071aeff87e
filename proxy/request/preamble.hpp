#pragma once

#include "proxy/request/asked.hpp"

namespace splitproof::request {

/// Replaces tools, calls and results by words for an upstream without tools.
///
/// - After the system's texts: the tools, their schemas and the form of a call.
/// - Before the user's last text: a short banner with the tools' names. It is missing if the turn begins with a result.
///   With a banner, a model would think that the conversation was cut off.
/// - In the history: each call as markup of the assistant, and each result as text in a tag of the user. Results come
///   first in their turn.
///
/// A result cannot end its tag or begin a call. If no tool may be called, only the history changes.
void put_tools_into_words(Asked& asked);

}  // namespace splitproof::request
