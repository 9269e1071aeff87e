#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/stream_draft.hpp"

/// Functions that several tables of flaws use to read and change drafts.
namespace splitproof::dialect::anthropic_edits {

std::size_t start_of(const Draft& draft, std::string_view block, std::size_t from = 0);
/// Renumbers blocks as 0, 1, 2 in their order.
void count_blocks(Draft& draft);
bool set_at(Draft& draft, std::string_view block, const char* field, std::string_view value);

/// Sets a value in the first event.
bool at_the_start(Draft& draft, const char* field, std::string_view value);

}  // namespace splitproof::dialect::anthropic_edits
