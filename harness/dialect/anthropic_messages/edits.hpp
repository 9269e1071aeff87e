#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/stream_draft.hpp"

/// How drafts are read and changed by more than one table of flaws.
namespace splitproof::dialect::anthropic_edits {

std::size_t start_of(const Draft& draft, std::string_view block, std::size_t from = 0);
/// Gives blocks the numbers 0, 1, 2 in their order again.
void count_blocks(Draft& draft);
bool set_at(Draft& draft, std::string_view block, const char* field, std::string_view value);

/// Sets a value in the first event.
bool at_the_start(Draft& draft, const char* field, std::string_view value);

}  // namespace splitproof::dialect::anthropic_edits
