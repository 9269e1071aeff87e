#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "harness/observe/expected.hpp"
#include "harness/observe/normalised_answer.hpp"

namespace splitproof::observe {

/// What rules compare as `expected.` and `got.`: two documents of one form, never null. docs/contract-language.md lists
/// their members.
struct Documents {
  std::shared_ptr<const nlohmann::json> expected;
  std::shared_ptr<const nlohmann::json> got;
  /// What messages say of the two, an object of texts; it is not compared. `ending`: the end as the upstream said it.
  /// `failure`: what follows "the upstream's answer", such as "failed (Overloaded)". `unreadable_call`: the first call of the
  /// upstream whose arguments are not one JSON object, if there is one. `client`: "an error" or "no error".
  std::shared_ptr<const nlohmann::json> words = {};
};

/// The documents of what must come of an answer, and of what a client got.
///
/// What the upstream leaves open is absent on both sides, or null in a list of both: ids that the translator
/// chooses, signatures where there was none, counts that were never said, and the order of two calls of which
/// the later one was known first. So is what cannot be told apart: the order of names where the names differ,
/// `ids`, `inputs` and `takes` where their order does, `thoughts` and `signatures` where the thinking does, the finish,
/// usage and runs where either side ends in an error, and `parts` and `kinds` of an order left open; there `thoughts` and
/// `signatures` too, where a thought comes in other pieces. What is
/// empty on both sides is absent, but for `others`, and `takes` where no call takes text.
Documents documents(const Expected& expected, NormalisedAnswer got);

/// The documents of two streams of one protocol, of which the first says what was meant. What either leaves open is absent
/// as above, but for signatures: thinking that nobody signed has none.
Documents documents_of_two(NormalisedAnswer meant, NormalisedAnswer got);

}  // namespace splitproof::observe
