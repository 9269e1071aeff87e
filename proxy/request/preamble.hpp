#pragma once

#include "proxy/request/asked.hpp"

namespace splitproof::request {

/// Describes tools, calls and results to the upstream in words, and sends none as such:
///
/// - After the system's texts: the tools with their schemas, and the form of a call.
/// - Before the user's last text: a short banner with their names. Not if it begins with a result, because a model
///   would think that the conversation was cut off.
/// - In the history: each call in the assistant's markup, and each result in a tag of the user, results first.
///
/// A result cannot end its tag or begin a call. If no tool may be called, only the history changes.
void put_tools_into_words(Asked& asked);

}  // namespace splitproof::request
