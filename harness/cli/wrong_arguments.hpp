#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace splitproof::cli {

/// The command that the arguments chose, or the program itself.
const CLI::App& chosen(const CLI::App& app);

/// What is wrong with arguments that the library did not take, in a sentence that names the word at fault and what it is
/// likely to stand for, where that can be told.
std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& error, int argc,
                          const char* const* argv);

}  // namespace splitproof::cli
