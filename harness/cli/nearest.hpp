#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace splitproof::cli {

/// Returns the known word that `word` is most likely a typing mistake for, or nullopt if none is near.
std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& known);

/// Returns the number of letters to insert, remove or replace until `a` is `b`.
std::size_t edit_distance(const std::string& a, const std::string& b);

}  // namespace splitproof::cli
