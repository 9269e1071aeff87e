#pragma once

#include <string>
#include <string_view>

#include "harness/results/result.hpp"

namespace splitproof::cause {

/// Returns the way in which a symptom violates its rule, equal for symptoms of one fault. One rule may be
/// violated in several ways, and each is a cause:
///
/// - "less": only a part of the wanted value was sent. "more": more than it was sent. "other": neither.
/// - "missing": the answer ended without something, and no value is compared.
/// - "open": an answer that failed has no end. "ended": it ends as a success.
/// - Otherwise the number of the clause, from 1: the values are excerpts, or differ in several ways.
///
/// The number of a clause after the first precedes the words above: "2-less", "2-ended".
///
/// Rules with the stake `order` or `form`, and rules about a shape without an end, have one kind each: "".
std::string kind_of(const results::Symptom& symptom, bool of_a_shape);

/// True if a value of a violation is empty or missing, in JSON or in words.
bool is_nothing(std::string_view value);

/// Returns the number of the clause of a kind: "2" for "2-less" and "2", "1" for "less".
std::string clause_of_kind(std::string_view kind);

/// Returns the way of a kind in words, such as "lost" for "less"; "" if the kind is a clause alone.
std::string manner_of_kind(std::string_view kind);

}  // namespace splitproof::cause
