#pragma once

#include <string>
#include <string_view>

#include "harness/contract/verdict.hpp"
#include "harness/results/result.hpp"

namespace splitproof::cause {

/// Returns the way in which a symptom violates its rule, equal for symptoms of one fault. One rule may be
/// violated in several ways, and each is a cause:
///
/// - "less": only a part of the wanted value was sent. "more": more than it was sent. "other": neither. If the
///   wanted value is only described, "less": it is missing. "other": it is wrong.
/// - "part": a request has a part of the wanted value, and "less" then means that it has nothing. Other code drops a part.
/// - "missing": the answer ended without something, and no value is compared.
/// - "form": an event is wrong, and no value is compared.
/// - "moved": the wanted content was sent as another part. Only the answer shows it (separate.hpp).
/// - "open": an answer that failed has no end. "ended": it ends as a success. "failed": a complete answer ends in an error.
/// - "content", "finish", "usage", "error": this differs between a stream and an answer in one piece (META-01).
/// - Otherwise the number of the clause, from 1: the values are excerpts, or differ in several ways.
///
/// The number of a clause after the first precedes the words above: "2-less", "2-ended".
///
/// Other rules with the stake `order` or `form`, and rules about a shape without an end, have one kind each: "".
std::string kind_of(const results::Symptom& symptom, bool of_a_shape);

/// Returns "less", "more" or "other" if both values of a violation are JSON and differ in one way. Otherwise "mixed".
std::string manner_of_values(const contract::Violation& violation);

/// True if a value of a violation is empty or missing, in JSON or in words.
bool is_nothing(std::string_view value);

/// Returns the number of the clause of a kind: "2" for "2-less" and "2", "1" for "less".
std::string clause_of_kind(std::string_view kind);

/// Returns the way of a kind in words, such as "lost" for "less"; "" if the kind is a clause alone.
std::string manner_of_kind(std::string_view kind);

}  // namespace splitproof::cause
