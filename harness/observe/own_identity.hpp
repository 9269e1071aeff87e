#pragma once

#include <string>
#include <string_view>

namespace splitproof::observe {

/// Returns a text in which an upstream's agent calls itself the client's model (contracts/specifications/cleaning.md).
/// Code and JSON stay unchanged. Without a model, everything does.
std::string with_identity_of(std::string_view model, std::string_view text);

}  // namespace splitproof::observe
