#pragma once

#include <string>
#include <string_view>

namespace splitproof::wire {

/// Replaces every occurrence of a secret in a text, also with escaped slashes as in JSON. Secrets below eight bytes
/// stay, because they would match ordinary words. Takes constant time for each byte on average.
void conceal(std::string& text, std::string_view secret);

}  // namespace splitproof::wire
