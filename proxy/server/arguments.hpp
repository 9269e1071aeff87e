#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "proxy/relay/form.hpp"

namespace splitproof::server {

struct ServeCommand {
  std::string listen = "127.0.0.1:0";
  std::string upstream;
  std::string upstream_protocol;      ///< empty: the profile's, or the table's first
  std::string profile;                ///< name or file; empty: none
  std::string config;                 ///< file; empty: none
  std::optional<std::uint64_t> seed;  ///< for the ids of every stream
  std::optional<relay::Form> relay;   ///< none: the configuration decides
};

/// The program ends now with this exit code. Help or an error message has been printed.
struct EarlyExit {
  int code = 0;
};

/// Reads the command line. Prints help and version on standard output. Prints a mistake on standard error, with a
/// similar option if there is one, and returns exit code 2.
std::variant<EarlyExit, ServeCommand> parse_arguments(int argc, const char* const* argv);

}  // namespace splitproof::server
