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
  std::string upstream_protocol;      ///< of the table; empty: the profile's, else the first
  std::string profile;                ///< name or file; empty: none
  std::string config;                 ///< file; empty: none
  std::optional<std::uint64_t> seed;  ///< of the ids of every stream
  std::optional<relay::Form> relay;   ///< none: as the configuration says
};

/// Nothing is left to do but to end with this exit code: help or a mistake has been printed.
struct EarlyExit {
  int code = 0;
};

/// Reads the command line. Prints help and version on standard output; a mistake goes to standard error with a
/// suggestion where a known option is near, and ends with exit code 2.
std::variant<EarlyExit, ServeCommand> parse_arguments(int argc, const char* const* argv);

}  // namespace splitproof::server
