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

/// Matches calls that the provider sent with calls rescued from text, so that each is delivered once.
class SaidOnce {
 public:
  /// Takes the next call of the answer. Returns true if it is delivered: no equal call of the other kind came
  /// before.
  bool take(bool rescued, const std::string& name, std::string_view arguments);

  /// True if take() would not deliver it.
  bool is_said(bool rescued, const std::string& name, std::string_view arguments) const;

  /// True if a rescued call of this name has no counterpart yet.
  bool may_answer(const std::string& name) const;

 private:
  using Call = std::pair<std::string, std::string>;
  using Calls = std::multiset<Call>;

  Calls sent_;
  Calls rescued_;
};

/// Result of a rescue.
struct Rescue {
  bool any = false;         ///< A call was made of text.
  bool said_twice = false;  ///< A call was omitted as a duplicate.
  bool words_left = false;  ///< The remaining text has tags of calls.
  MarkupLeft left;
};

/// Makes calls without ids of the text in `parts`, each only once.
Rescue rescue_calls(std::vector<Part>& parts, const DeclaredFunctions& functions);

}  // namespace splitproof::observe
