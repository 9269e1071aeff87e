#pragma once

#include <string>
#include <string_view>

namespace splitproof::observe {

/// A text of an upstream's agent that says of itself what docs/cleaning.md lists, saying so of the model that the client
/// asked for. Code and JSON stay. Without a model all stays.
std::string with_identity_of(std::string_view model, std::string_view text);

}  // namespace splitproof::observe
