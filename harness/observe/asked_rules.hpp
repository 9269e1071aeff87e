#pragma once

#include <map>
#include <string>

#include "harness/observe/asked.hpp"
#include "harness/observe/name_map.hpp"

namespace splitproof::observe {

/// Answers to contested questions that change a client's request. The defaults are those of the profile
/// `default`. Each comment names the knob and its value.
struct AskedRules {
  bool emulates_choice = false;     ///< tool-choice: emulate
  bool tools_in_words = false;      ///< preamble: pr54
  bool lifts_environment = false;   ///< environment: lift
  bool structures_history = false;  ///< retention: structured
  bool rewrites_identity = false;   ///< identity: rewrite
  const NameMap* names = nullptr;   ///< names; null: same

  bool any() const {
    return emulates_choice || tools_in_words || lifts_environment || structures_history ||
           rewrites_identity || names != nullptr;
  }
};

/// Returns the map that a profile's knobs name, or null without such a map.
const NameMap* named_map(const std::map<std::string, std::string>& knobs, const NameMaps& maps);

/// Returns the rules of a profile's knobs. `maps` must outlive them.
AskedRules asked_rules_of(const std::map<std::string, std::string>& knobs, const NameMaps& maps);

/// Returns the renaming for the client of this request.
Renaming renaming_for(const AskedRequest& asked, const NameMap* names);

}  // namespace splitproof::observe
