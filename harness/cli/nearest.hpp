#pragma once

#include <optional>
#include <string>
#include <vector>

namespace splitproof::cli {

/// Returns the known word that `word` is most likely a typing mistake for, or nullopt if none is near.
std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& known);

}  // namespace splitproof::cli
