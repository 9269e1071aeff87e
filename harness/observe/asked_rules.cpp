#include "harness/observe/asked_rules.hpp"

#include <string_view>
#include <utility>
#include <vector>

namespace splitproof::observe {

const NameMap* named_map(const std::map<std::string, std::string>& knobs, const NameMaps& maps) {
  const auto named = knobs.find("names");
  const auto map = named == knobs.end() ? maps.end() : maps.find(named->second);
  return map == maps.end() ? nullptr : &map->second;
}

AskedRules asked_rules_of(const std::map<std::string, std::string>& knobs, const NameMaps& maps) {
  const auto says = [&](const char* knob, std::string_view value) {
    const auto found = knobs.find(knob);
    return found != knobs.end() && found->second == value;
  };
  AskedRules rules;
  rules.emulates_choice = says("tool-choice", "emulate");
  rules.tools_in_words = says("preamble", "pr54");
  rules.lifts_environment = says("environment", "lift");
  rules.structures_history = says("retention", "structured");
  rules.rewrites_identity = says("identity", "rewrite");
  rules.names = named_map(knobs, maps);
  return rules;
}

Renaming renaming_for(const AskedRequest& asked, const NameMap* names) {
  std::vector<std::string> declared;
  for (const OfferedTool& tool : asked.tools)
    if (tool.name) declared.push_back(*tool.name);
  return Renaming(names, std::move(declared));
}

}  // namespace splitproof::observe
