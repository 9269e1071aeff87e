#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace splitproof::cause {

/// The most that a client loses if a rule is violated, the gravest first. A cause never explains a finding of
/// a graver stake, and causes are ordered by it.
enum class Stake : std::uint8_t {
  process,  ///< The target crashes or hangs, or a client gets the answer of another.
  content,  ///< Text, thinking, calls or their arguments are lost, changed or unreadable.
  failure,  ///< A failed or truncated answer looks like a success, or an answer lacks its end.
  order,    ///< Order of the parts, or the reason of the end.
  money,    ///< Token counts, or calls of the upstream that nobody wanted.
  form      ///< All else. Clients read the answer despite it, or report an error.
};

/// Returns the stake of a violation by one clause of a rule, counted from 0. Rules that the table does not
/// name, such as a user's own, have the stake `form`.
Stake stake_of(std::string_view rule, std::size_t clause);

/// True if it must not be merely a possible part of another cause: all but order and form.
bool is_grave(Stake stake);

}  // namespace splitproof::cause
