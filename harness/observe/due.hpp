#pragma once

#include <cstddef>

#include "harness/observe/choices.hpp"
#include "harness/observe/meaning.hpp"

namespace splitproof::observe {

/// What a client must have been sent by now, at the least. Sizes in bytes of UTF-8, as the provider dealt them out.
struct Due {
  std::size_t prose = 0;      ///< of text, thinking and refusals together
  std::size_t arguments = 0;  ///< of calls' arguments
  std::size_t calls = 0;      ///< calls started

  bool operator==(const Due&) const = default;
};

/// What is due once everything in `so_far` has come, where nothing forces a translator to wait. It may wait for
/// what would decide:
///
///   prose         text that may yet become <think>, or </think> within such a span; the start of a character
///   a call        until both its id and its name are known; it blocks nothing meanwhile
///   arguments     white space before them, and all of what does not begin an object
///   what follows  a call whose arguments are not yet one whole JSON value
///
/// Costs a step for each part, and reads arguments only of a call with something behind it, text only of an answer
/// that begins with <think>.
Due due(const Meaning& so_far, const Choices& choices);

}  // namespace splitproof::observe
