#pragma once

#include <string>

namespace splitproof::cli {

/// Returns the command line of the program as a report shows it: "splitproof run --quick", quoted for a shell.
/// `words` is argv. Values that may be secret are replaced by `...`: the value of --header after its name, and
/// assignments to variables whose name contains KEY, TOKEN, SECRET or PASSWORD.
std::string shown_command(const char* const* words);

}  // namespace splitproof::cli
