#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/contract/yaml_node.hpp"

namespace splitproof::testee {

/// The key `coverage` of a target file: the way in which the target reports which places of its own code a case reached.
struct TargetCoverage {
  enum class Agent : std::uint8_t {
    none,
    node,    ///< A module that Node loads before the program (NODE_OPTIONS).
    python,  ///< A module that Python loads before the program (PYTHONPATH).
    sancov,  ///< Counters that clang compiles into a library or a program (SanitizerCoverage).
    tcp,     ///< An agent of the user's, which answers at a port with LCOV.
  };

  Agent agent = Agent::none;
  std::string at;  ///< HOST:PORT of the agent; only for tcp.

  /// Folders and files that count as the target's own; empty: those below its folder, and its package.
  std::vector<std::string> files;
};

/// Properties of a target that its coverage depends on.
struct CoveredTarget {
  bool is_in_process = false;
  bool is_started = false;  ///< splitproof starts it.
  bool is_single = true;    ///< One instance.
  bool has_network = true;
};

/// Returns "node", "python", "sancov", "tcp" or "none".
std::string_view name(TargetCoverage::Agent agent);

/// Reads the key of a target. Throws contract::Mistake for an unknown agent, and for one that does not fit the target.
TargetCoverage coverage_of(const contract::YamlNode& node, const CoveredTarget& target);

}  // namespace splitproof::testee
