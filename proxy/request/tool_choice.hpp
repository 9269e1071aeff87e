#pragma once

#include <string>

#include "proxy/request/asked.hpp"

namespace splitproof::request {

/// Returns a sentence about the forced tool, escaped, with its upstream name; empty if the model may choose or has no
/// tools.
std::string directive(const Asked& asked);

/// Expresses the choice of tools in words, for upstreams without one. If no tool may be called, tools are removed and
/// earlier calls too, and the user reports results. Otherwise the directive ends the user's last turn, as a text of its
/// own. The choice itself becomes automatic.
void put_choice_into_words(Asked& asked);

}  // namespace splitproof::request
