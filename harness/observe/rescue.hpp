#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/observe/answer.hpp"
#include "harness/observe/cleaning.hpp"
#include "harness/observe/functions.hpp"

namespace splitproof::observe {

/// Calls that the provider sent as such, and calls that are rescued from text: what both say is said once.
class SaidOnce {
 public:
  /// Takes the next call of the answer. Whether it is told: one of the other kind that is alike did not say it already.
  bool take(bool rescued, const std::string& name, std::string_view arguments);

  /// Whether take() would not tell it.
  bool is_said(bool rescued, const std::string& name, std::string_view arguments) const;

  /// Whether a call of that name was rescued that answers for no other yet.
  bool may_answer(const std::string& name) const;

 private:
  using Call = std::pair<std::string, std::string>;
  using Calls = std::multiset<Call>;

  Calls sent_;
  Calls rescued_;
};

/// What was rescued.
struct Rescue {
  bool any = false;         ///< a call was made of text
  bool said_twice = false;  ///< a call is left out, as it was said already
  bool words_left = false;  ///< the text that is left holds tags of calls
  MarkupLeft left;
};

/// Makes calls of the text in `parts`, without ids, and says each once.
Rescue rescue_calls(std::vector<Part>& parts, const DeclaredFunctions& functions);

}  // namespace splitproof::observe
