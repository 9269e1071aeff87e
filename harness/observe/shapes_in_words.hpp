#pragma once

#include <set>
#include <string>

#include "harness/observe/asked.hpp"

namespace splitproof::observe {

/// Whether a client has tools of its own that may be called.
bool offers_tools(const AskedRequest& asked);

/// What a client's request has that these rules ask for by `given`; docs/in-words.md lists them.
std::set<std::string> shapes_in_words(const AskedRequest& asked);

/// Those of them that count where it was refused.
std::set<std::string> shapes_of_refused(const AskedRequest& asked);

}  // namespace splitproof::observe
