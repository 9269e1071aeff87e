#pragma once

#include "harness/observe/answer.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/flush_requirement.hpp"

namespace splitproof::observe {

/// Returns the due part of an answer so far, as FlushRequirement does, but read from its beginning each time. It
/// differs for two kinds of answers that no upstream sends. A bare number as arguments, with content after it, is
/// complete here, although it may continue. And parts may contain calls without id or name.
Due due_by_definition(const Answer& so_far, const Choices& choices);

}  // namespace splitproof::observe
