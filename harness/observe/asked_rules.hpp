#pragma once

#include <map>
#include <string>

#include "harness/observe/asked.hpp"
#include "harness/observe/name_map.hpp"

namespace splitproof::observe {

/// The answers to contested questions that change what becomes of a client's request. The defaults are those of the
/// profile `default`, where each is a knob of the name told here.
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

/// The map that a profile's knobs name; null where they name none that there is.
const NameMap* named_map(const std::map<std::string, std::string>& knobs, const NameMaps& maps);

/// The rules of a profile's knobs; `maps` must outlive them.
AskedRules asked_rules_of(const std::map<std::string, std::string>& knobs, const NameMaps& maps);

/// What becomes of names for the client that asked so.
Renaming renaming_for(const AskedRequest& asked, const NameMap* names);

}  // namespace splitproof::observe
