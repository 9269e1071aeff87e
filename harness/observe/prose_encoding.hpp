#pragma once

#include <deque>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/observe/asked.hpp"
#include "harness/observe/asked_rules.hpp"
#include "harness/observe/said.hpp"

namespace splitproof::observe {

/// Two requests made comparable where a proxy promises to say some of the client's in other words: what the client's
/// becomes by the rules, and what the upstream's says once its words are read back.
struct ProseEncoding {
  AskedRequest asked;
  AskedRequest got;
  Said said;      ///< of the first
  Said got_said;  ///< of the second

  bool flattened =
      false;  ///< calls and results of the history may be told in any words, as no tool may be called
  bool one_at_once = true;  ///< whether the upstream can be asked for one call at a time

  /// What only these rules compare, by its name: what is wanted, what came.
  std::vector<std::pair<std::string, std::pair<nlohmann::json, nlohmann::json>>> members;

  /// What was made for it and is pointed at.
  std::deque<nlohmann::json> made;
};

ProseEncoding in_words(const AskedRequest& asked, const AskedRequest& got, const AskedRules& rules);

}  // namespace splitproof::observe
