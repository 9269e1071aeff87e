#pragma once

#include "harness/observe/answer.hpp"
#include "harness/observe/choices.hpp"
#include "harness/observe/flush_requirement.hpp"

namespace splitproof::observe {

/// What is due of an answer so far, as FlushRequirement has it, but read from its beginning each time. Two differences are of
/// answers that no one sends: a bare number as arguments, behind which something stands, is whole here, though it may go
/// on; and calls without id or name may be among the parts.
Due due_by_definition(const Answer& so_far, const Choices& choices);

}  // namespace splitproof::observe
