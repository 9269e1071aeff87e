#pragma once

#include <string>
#include <string_view>

namespace splitproof::wire {

/// Replaces every occurrence of a secret in a text, also as JSON may write its slashes. Secrets of less than eight bytes are
/// left: they would match ordinary words. Each byte of the text is looked at once, on average, whatever the secret is.
void conceal(std::string& text, std::string_view secret);

}  // namespace splitproof::wire
