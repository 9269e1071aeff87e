#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "harness/observe/expected.hpp"
#include "harness/observe/normalised_answer.hpp"

namespace splitproof::observe {

/// The documents that rules compare as `expected.` and `got.`, in one form and never null.
/// docs/contract-language.md lists the members.
struct Documents {
  std::shared_ptr<const nlohmann::json> expected;
  std::shared_ptr<const nlohmann::json> got;
  /// Texts for messages, as an object that is not compared:
  /// - `ending`: the end as the upstream reported it.
  /// - `failure`: the words after "the upstream's answer", such as "failed (Overloaded)".
  /// - `unreadable_call`: the first upstream call whose arguments are not one JSON object, if any.
  /// - `client`: "an error" or "no error".
  std::shared_ptr<const nlohmann::json> words = {};
};

/// Returns the documents of the required answer and of the client's answer.
///
/// A member that the upstream leaves open is absent on both sides, or null in both lists. Examples are ids
/// that the translator chooses, signatures of unsigned thinking, missing counts, and the order of two calls
/// if the later one was known first.
///
/// A member that cannot be compared is absent too:
/// - the order of names, if the names differ
/// - `ids`, `inputs` and `takes`, if their order differs
/// - `thoughts` and `signatures`, if the thinking differs, or if it has other pieces in an open order
/// - finish, usage and runs, if either side ends in an error
/// - `parts` and `kinds`, if the order is open
///
/// A member that is empty on both sides is absent, except `others`, and `takes` if no call takes text.
Documents documents(const Expected& expected, NormalisedAnswer got);

/// Returns the documents of two streams of one protocol; the first has the intended meaning. Members that
/// either leaves open are absent as above. Signatures are not: thinking without a signature has none.
Documents documents_of_two(NormalisedAnswer meant, NormalisedAnswer got);

}  // namespace splitproof::observe
