#pragma once

#include "harness/dialect/registry.hpp"

namespace splitproof::dialect {

EventMarks marks_of_responses(const observe::Event& event);

}  // namespace splitproof::dialect
