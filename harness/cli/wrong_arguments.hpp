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

}  // namespace splitproof::cli
