#pragma once

#include <string>
#include <vector>

#include "harness/cli/options.hpp"
#include "harness/result.hpp"
#include "harness/testee/target_file.hpp"

namespace splitproof::cli {

/// Options about how a proxy is reached. Empty ones are found out.
struct WiringOptions {
  std::string command;          ///< command line of a shell that starts the proxy
  std::string url;              ///< of a proxy that runs already
  std::string upstream_listen;  ///< HOST:PORT where the proxy expects its upstream
  std::string client;
  std::string upstream;
  std::string path;
  std::string model;
  std::vector<std::string> headers;  ///< "NAME: VALUE"
};

/// Adds all of them but `command`.
void add_wiring(Options& options, WiringOptions& wiring);

/// Returns the target that the options describe. If its command has no name in braces, its environment has the port and the address
/// of the stand-in. {dir} is the working directory. An Error names the option that is wrong or missing.
Result<testee::TargetFile> draft_of(const WiringOptions& wiring);

}  // namespace splitproof::cli
