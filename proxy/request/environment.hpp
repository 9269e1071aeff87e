#pragma once

#include <string>
#include <string_view>

#include "proxy/request/asked.hpp"

namespace splitproof::request {

/// What a client says of the machine that its tools run on, in UTF-8; empty: nothing.
struct EnvironmentFacts {
  std::string directory;   ///< where it works: an absolute path, or one that begins at the home directory
  std::string repository;  ///< whether that is one of git, in the client's word
  std::string platform;
  std::string system;  ///< name and version of the operating system

  bool operator==(const EnvironmentFacts&) const = default;
};

/// Takes of a text what `facts` lack. Read are lines `KEY: VALUE` and `KEY = VALUE`, a bullet before and backticks
/// around the value allowed, `<cwd>PATH</cwd>`, `<cwd> PATH` to the end of the line, and "current working directory is
/// PATH". A directory that is no path, a value with a control character and one with a marker for what was redacted are
/// passed over.
void find_facts(std::string_view text, EnvironmentFacts& facts);

/// Says again, behind all other system texts, what the client says of its machine in texts of the system and of the
/// user, the first that says it. Nothing where it names no directory, or there is no tool to call.
void lift_environment(Asked& asked);

}  // namespace splitproof::request
