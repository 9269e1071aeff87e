#pragma once

#include <string>
#include <string_view>

#include "proxy/request/asked.hpp"

namespace splitproof::request {

/// A client's description of the machine of its tools, in UTF-8; empty: absent.
struct EnvironmentFacts {
  std::string directory;   ///< working directory: an absolute path, or from the home directory
  std::string repository;  ///< whether it is a git repository, in the client's word
  std::string platform;
  std::string system;  ///< name and version of the operating system

  bool operator==(const EnvironmentFacts&) const = default;
};

/// Fills missing `facts` from a text. Reads lines `KEY: VALUE` and `KEY = VALUE`, with an optional bullet and backticks
/// around the value, `<cwd>PATH</cwd>`, `<cwd> PATH` to the end of the line, and "current working directory is PATH".
/// Skips directories that are not paths, and values with control characters or redaction markers.
void find_facts(std::string_view text, EnvironmentFacts& facts);

/// Repeats the client's first description of its machine, from system and user texts, after all other system texts.
/// Does nothing without a directory or without callable tools.
void lift_environment(Asked& asked);

}  // namespace splitproof::request
