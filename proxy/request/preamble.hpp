#pragma once

#include "proxy/request/asked.hpp"

namespace splitproof::request {

/// Tells the upstream of tools, calls and results in words, and gives it none as such:
///
/// - behind the system's texts what tools there are, with their schemas, and how a call is written;
/// - before what the user said last a short banner with their names, unless that begins with a result: a model that
///   finds the banner there takes the conversation for cut off;
/// - in the history each call as the assistant would write it, each result in a tag of the user's, results first.
///
/// Nothing that a result says can end its tag or begin a call. Where no tool may be called only the history is told so.
void put_tools_into_words(Asked& asked);

}  // namespace splitproof::request
