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

/// Two comparable requests, if a proxy promises to put parts of the client's request into words. `asked` is
/// the client's request after the rules. `got` is the upstream's request after its words were read back.
struct ProseEncoding {
  AskedRequest asked;
  AskedRequest got;
  Said said;      ///< Reading of `asked`.
  Said got_said;  ///< Reading of `got`.

  bool flattened =
      false;  ///< Calls and results of the history may become any words, because no tool may be called.
  bool one_at_once = true;  ///< True if the upstream can be asked for one call at a time.

  /// Members that only these rules compare, by name: expected and found value.
  std::vector<std::pair<std::string, std::pair<nlohmann::json, nlohmann::json>>> members;

  /// Owns the JSON values that were created for this comparison.
  std::deque<nlohmann::json> made;
};

ProseEncoding in_words(const AskedRequest& asked, const AskedRequest& got, const AskedRules& rules);

}  // namespace splitproof::observe
