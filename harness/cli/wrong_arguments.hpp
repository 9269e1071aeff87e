#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace splitproof::cli {

/// The one of some words that another, which is none of them, is likely to be a slip for.
std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& known);

/// The command that the arguments chose, or the program itself.
const CLI::App& chosen(const CLI::App& app);

/// What is wrong with arguments that the library did not take, in a sentence that names the word at fault and what it is
/// likely to stand for, where that can be told.
std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& error, int argc,
                          const char* const* argv);

}  // namespace splitproof::cli
