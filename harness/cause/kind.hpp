#pragma once

#include <string>
#include <string_view>

#include "harness/results/result.hpp"

namespace splitproof::cause {

/// Returns the way in which a symptom violates its rule, equal for symptoms of one fault. One rule may be
/// violated in several ways, and each is a cause:
///
/// - "less": only a part of the wanted value was sent. "more": more than it was sent. "other": neither.
/// - "open": an answer that failed has no end. "ended": it ends as a success.
/// - Otherwise the number of the clause, from 1. It also precedes the words above, as in "2-less", unless it
///   is 1.
///
/// Rules with the stake `order` or `form`, and rules about a shape without an end, have one kind each: "".
std::string kind_of(const results::Symptom& symptom, bool of_a_shape);

/// Returns the way of a kind in words, such as "lost" for "less"; "" if the kind is a clause alone.
std::string manner_of_kind(std::string_view kind);

}  // namespace splitproof::cause
