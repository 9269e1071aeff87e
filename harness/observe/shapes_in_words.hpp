#pragma once

#include <set>
#include <string>

#include "harness/observe/asked.hpp"

namespace splitproof::observe {

/// True if a client has tools of its own that may be called.
bool offers_tools(const AskedRequest& asked);

/// Returns the features of a client's request that these rules ask for with `given`
/// (contracts/specifications/in-words.md).
std::set<std::string> shapes_in_words(const AskedRequest& asked);

/// Returns the features that count if the request was refused.
std::set<std::string> shapes_of_refused(const AskedRequest& asked);

}  // namespace splitproof::observe
