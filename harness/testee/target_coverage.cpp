#include "harness/testee/target_coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace splitproof::testee {
namespace {

using Agent = TargetCoverage::Agent;

constexpr std::array kAgents{Agent::node, Agent::python, Agent::sancov, Agent::tcp};
constexpr const char* kAgentNames =
    "write node, python, sancov for code that clang compiles, or tcp for an agent of your own";

Agent agent_of(const contract::YamlNode& node) {
  const std::string& text = contract::scalar_text(node, "coverage");
  const auto agent =
      std::find_if(kAgents.begin(), kAgents.end(), [&](Agent known) { return name(known) == text; });
  if (agent == kAgents.end())
    contract::refuse(node.line, fmt::format("there is no coverage '{}'", text), kAgentNames);
  return *agent;
}

// Refuses an agent that reports nothing about such a target.
void check_target(const TargetCoverage& coverage, const contract::YamlNode& by, const CoveredTarget& target) {
  if (target.is_in_process && coverage.agent != Agent::sancov)
    contract::refuse(by.line, fmt::format("an in-process target cannot have 'coverage: {}'", by.text),
                     "write sancov, and compile the library with clang "
                     "-fsanitize-coverage=inline-8bit-counters,pc-table");
  if (!target.is_in_process && !target.is_started && coverage.agent != Agent::tcp)
    contract::refuse(
        by.line,
        fmt::format("splitproof does not start this target, so 'coverage: {}' gives nothing", by.text),
        "add a 'command', write tcp if it has an agent of its own, or remove 'coverage'");
  if (coverage.agent != Agent::tcp) return;
  if (!target.is_single)
    contract::refuse(by.line, "several instances cannot share the port of one agent", "remove 'instances'");
  if (!target.has_network)
    contract::refuse(by.line, "the agent of a target with 'network: none' cannot be reached",
                     "remove one of them");
}

// Refuses keys that an agent does not have.
void check_settings(const TargetCoverage& coverage, const contract::YamlNode& by) {
  const bool has_files = coverage.agent == Agent::node || coverage.agent == Agent::python;
  if (!has_files && !coverage.files.empty())
    contract::refuse(
        by.line, fmt::format("'coverage: {}' has no 'files', because all counts that is reported", by.text),
        "remove 'files'");
  if ((coverage.agent == Agent::tcp) == coverage.at.empty())
    contract::refuse(by.line,
                     fmt::format("'coverage: {}' {} 'at'", by.text, coverage.at.empty() ? "lacks" : "has no"),
                     "write {by: tcp, at: 127.0.0.1:3001}, with the address of the agent");
}

}  // namespace

std::string_view name(Agent agent) {
  switch (agent) {
    case Agent::node:
      return "node";
    case Agent::python:
      return "python";
    case Agent::sancov:
      return "sancov";
    case Agent::tcp:
      return "tcp";
    case Agent::none:
      break;
  }
  return "none";
}

TargetCoverage coverage_of(const contract::YamlNode& node, const CoveredTarget& target) {
  TargetCoverage coverage;
  const contract::YamlNode* by = &node;
  if (node.is_map()) {
    const contract::YamlMap map(node, "coverage", {"by", "at", "files"});
    by = &map.need("by");
    if (const contract::YamlNode* at = map.find("at"))
      coverage.at = contract::scalar_text(*at, "the address of coverage");
    if (const contract::YamlNode* files = map.find("files"))
      coverage.files = contract::scalar_texts(*files, "the files of coverage");
  }
  coverage.agent = agent_of(*by);
  check_target(coverage, *by, target);
  check_settings(coverage, *by);
  return coverage;
}

}  // namespace splitproof::testee
