#pragma once

#include <string>

#include "proxy/request/asked.hpp"

namespace splitproof::request {

/// A sentence that says which tool the model has to call, escaped, by the upstream's name; empty where it may choose,
/// or there is none to call.
std::string directive(const Asked& asked);

/// Has the model obey the choice of tools by what it is told, for upstreams that do not see to it themselves. Where
/// no tool may be called there are none, and no calls in the history that would show them again: results are told by
/// the user. Else the directive stands at the end of what the user said last, as a text of its own. The choice itself
/// is automatic then.
void put_choice_into_words(Asked& asked);

}  // namespace splitproof::request
