#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace splitproof::cli {

/// Returns the command that the arguments chose, or the program itself.
const CLI::App& chosen(const CLI::App& app);

/// Describes arguments that the library rejected, in a sentence with the wrong word and, if possible, the
/// probable intended one.
std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& error, int argc,
                          const char* const* argv);

/// Describes the first argument if it is neither a command nor an option and no command was chosen; otherwise
/// returns "". The library does not complain if --help follows it.
std::string what_is_wrong_with_the_command(const CLI::App& app, int argc, const char* const* argv);

}  // namespace splitproof::cli
